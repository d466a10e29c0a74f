import JSONValue

/// The figures as JSON. Keys are fixed, more may be added; unknown is null; nothing in it depends on when it was written.
///
/// - `version`, `tolerance` (ΔE₀₀), `settings` {name: value}
/// - `series` [ ]:
///   - `name`, `pairs` (how many)
///   - `reduction` {`ambient`, `flash`}: what part of that picture's variance the result has less, 0.87 for 87 %
///   - `methods` {`result`, `ambient`, `flash`}, each null or
///     - `variance`, `chartVariance`, `skinVariance`, `chromaVariance`, `unscaledVariance` (ΔE*ab²)
///     - `varianceByLux`, `wellLitErrorByLux` [{`lux`, `value`}]
///     - `colorError`, `fullError` {`chart`, `skin`, `object`, `far`}, each null or {`mean`, `p95`, `count`} (ΔE₀₀)
///     - `wellLitError` (ΔE₀₀), `shadowLeft`, `farWildShare` (0...1)
///   - `confidence`, null or {`of` ("pixels" or "patches"), `reliabilityGap`, `brierSkill`, `auc`, `sureShare`,
///     `sureWithinTolerance`, `bins` [{`count`, `confidence`, `withinTolerance`}], `regions` [{`name`, `confidence`, `withinTolerance`}]}
///   - `conditions` [{`id`, `lux`, `cct`, `duv`, `tint`, `chartError`, `skinError` {`result`, `ambient`, `flash`},
///     `wellLitError`, `meanConfidence`, `centerWeightedMeanConfidence`, `withinTolerance`, `auc`, `alignmentRMS`,
///     `alignmentCorner`, `shadowLeft`, `exposureRatioError`, `seconds`}]; the patches are in `patches.csv`
///   - `worst` [{`id`, `reason`}], the worst first
public struct ValidationJSON {
  private let figures: ValidationFigures

  /// A document of figures.
  public init(_ figures: ValidationFigures) { self.figures = figures }

  /// The document.
  public var json: JSON {
    [
      "version": .string(figures.version), "tolerance": .number(figures.tolerance),
      "settings": .object(figures.settings.map { JSON.Member($0.name, .string($0.value)) }),
      "series": .array(figures.series.map(json)),
    ]
  }

  private func json(_ series: SeriesFigures) -> JSON {
    [
      "name": .string(series.name), "pairs": .integer(series.conditions.count),
      "reduction": [
        "ambient": JSON(series.reduction(against: .ambient)), "flash": JSON(series.reduction(against: .flash)),
      ],
      "methods": byMethod { series.methods[$0].map(json) ?? .null },
      "confidence": series.confidence.map(json) ?? .null,
      "conditions": .array(series.conditions.map(json)),
      "worst": .array(series.worst.map { ["id": .string($0.id), "reason": .string($0.reason)] }),
    ]
  }

  private func json(_ method: MethodFigures) -> JSON {
    [
      "variance": .number(method.variance), "chartVariance": JSON(method.chartVariance),
      "skinVariance": JSON(method.skinVariance), "chromaVariance": JSON(method.chromaVariance),
      "unscaledVariance": JSON(method.unscaledVariance), "varianceByLux": json(method.varianceByLux),
      "colorError": json(method.colorError), "fullError": json(method.fullError),
      "wellLitError": JSON(method.wellLitError), "wellLitErrorByLux": json(method.wellLitErrorByLux),
      "shadowLeft": JSON(method.shadowLeft), "farWildShare": JSON(method.farWildShare),
    ]
  }

  private func json(_ values: [(lux: Double, value: Double)]) -> JSON {
    .array(values.map { ["lux": .number($0.lux), "value": .number($0.value)] })
  }

  private func json(_ spreads: [PairPatchKind: Spread]) -> JSON {
    .object(
      PairPatchKind.allCases.map { kind in
        let spread = spreads[kind].map { spread -> JSON in
          ["mean": .number(spread.mean), "p95": .number(spread.p95), "count": .integer(spread.count)]
        }
        return JSON.Member(kind.rawValue, spread ?? .null)
      })
  }

  private func json(_ figures: ConfidenceFigures) -> JSON {
    let bins = figures.bins.map { bin -> JSON in
      [
        "count": .integer(bin.count), "confidence": .number(bin.confidence),
        "withinTolerance": .number(bin.withinTolerance),
      ]
    }
    let regions = figures.regions.map { region -> JSON in
      [
        "name": .string(region.name), "confidence": .number(region.confidence),
        "withinTolerance": .number(region.withinTolerance),
      ]
    }
    return [
      "of": .string(figures.samples.rawValue), "reliabilityGap": JSON(figures.reliabilityGap),
      "brierSkill": .number(figures.brierSkill),
      "auc": .number(figures.auc), "sureShare": .number(figures.sureShare),
      "sureWithinTolerance": JSON(figures.sureWithinTolerance), "bins": .array(bins), "regions": .array(regions),
    ]
  }

  private func json(_ condition: ConditionFigures) -> JSON {
    [
      "id": .string(condition.id), "lux": JSON(condition.lux), "cct": JSON(condition.cct),
      "duv": JSON(condition.duv), "tint": JSON(condition.tint),
      "chartError": byMethod { JSON(condition.chartError[$0]) },
      "skinError": byMethod { JSON(condition.skinError[$0]) },
      "wellLitError": JSON(condition.wellLitError), "meanConfidence": JSON(condition.meanConfidence),
      "centerWeightedMeanConfidence": JSON(condition.centerWeightedMeanConfidence),
      "withinTolerance": JSON(condition.withinTolerance), "auc": JSON(condition.auc),
      "alignmentRMS": JSON(condition.alignmentRMS), "alignmentCorner": JSON(condition.alignmentCorner),
      "shadowLeft": JSON(condition.shadowLeft), "exposureRatioError": JSON(condition.exposureRatioError),
      "seconds": JSON(condition.seconds),
    ]
  }

  private func byMethod(_ value: (Method) -> JSON) -> JSON {
    .object(Method.allCases.map { JSON.Member($0.rawValue, value($0)) })
  }
}
