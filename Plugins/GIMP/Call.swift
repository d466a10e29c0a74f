import CGimp
import Development
import GEGL
import Glibc
import Photo

/// A call of a procedure: its parameters, and what it gives back.
struct Call {
  private let procedure: Procedure?
  private let parameters: UnsafeBufferPointer<GimpParam>

  init(_ name: UnsafePointer<gchar>?, _ parameters: UnsafePointer<GimpParam>?, count: Int) {
    procedure = name.flatMap { Procedure(rawValue: String(cString: $0)) }
    self.parameters = UnsafeBufferPointer(start: parameters, count: parameters == nil ? 0 : max(0, count))
  }

  /// Does it, and returns what libgimp hands to the caller: a status, and the results or an error message.
  func run() -> [GimpParam] {
    do {
      // A menu gives only the first ones.
      let isComplete = integer(0) != GIMP_RUN_NONINTERACTIVE.rawValue || parameters.count == procedure?.parameters.count
      guard let procedure, isComplete, parameters.count >= (procedure == .layers ? 3 : 1) else {
        throw InputError("the procedure does not take \(parameters.count) parameters; see the procedure browser")
      }
      // What libraries say meanwhile is not for the user of GIMP: what counts is among the notes.
      return [.status(GIMP_PDB_SUCCESS)] + (try Messages.capture { try perform(procedure) }.result)
    } catch is RenderingCancelled {
      return [.status(GIMP_PDB_CANCEL)]
    } catch let error as InputError {
      return [.status(GIMP_PDB_CALLING_ERROR), .text(error.description)]
    } catch {
      return [.status(GIMP_PDB_EXECUTION_ERROR), .text("\(error)")]
    }
  }

  private func perform(_ procedure: Procedure) throws -> [GimpParam] {
    let mode = GimpRunMode(UInt32(bitPattern: integer(0)))
    var request = Request(procedure, isInteractive: mode == GIMP_RUN_INTERACTIVE)
    if procedure == .layers {
      request.image = integer(1)
      request.flash = .layer(integer(2))
    }
    if mode == GIMP_RUN_NONINTERACTIVE {
      if procedure == .layers {
        request.ambient = .layer(integer(3))
      } else {
        (request.flash, request.ambient) = (.file(text(1)), .file(text(2)))
      }
      for (index, option) in procedure.options.enumerated() {
        request.options[option] = value(procedure.inputs.count + index, option.type)
      }
    } else {
      try request.recall()
    }
    let outcome = try mode == GIMP_RUN_INTERACTIVE ? request.ask() : request.develop()
    if mode != GIMP_RUN_NONINTERACTIVE { gimp_displays_flush() }
    return (procedure == .files ? [.image(outcome.image)] : []) + [
      .layer(outcome.result), .drawable(outcome.confidence), .layer(outcome.fallback),
      .number(outcome.meanConfidence), .text(outcome.notes.joined(separator: "\n")),
    ]
  }

  private func integer(_ index: Int) -> gint32 {
    parameters.indices.contains(index) ? parameters[index].data.d_int32 : -1
  }

  private func text(_ index: Int) -> String {
    parameters[index].data.d_string.map { String(cString: $0) } ?? ""
  }

  private func value(_ index: Int, _ type: GimpPDBArgType) -> String {
    switch type {
    case GIMP_PDB_FLOAT: "\(parameters[index].data.d_float)"
    case GIMP_PDB_INT32: "\(integer(index))"
    default: text(index)
    }
  }
}

extension GimpParam {
  static func status(_ status: GimpPDBStatusType) -> GimpParam {
    GimpParam(type: GIMP_PDB_STATUS, data: GimpParamData(d_status: status))
  }

  /// A text, which is kept.
  static func text(_ text: String) -> GimpParam {
    GimpParam(type: GIMP_PDB_STRING, data: GimpParamData(d_string: strdup(text)))
  }

  static func image(_ id: gint32) -> GimpParam {
    GimpParam(type: GIMP_PDB_IMAGE, data: GimpParamData(d_image: id))
  }

  static func layer(_ id: gint32) -> GimpParam {
    GimpParam(type: GIMP_PDB_LAYER, data: GimpParamData(d_layer: id))
  }

  static func drawable(_ id: gint32) -> GimpParam {
    GimpParam(type: GIMP_PDB_DRAWABLE, data: GimpParamData(d_drawable: id))
  }

  static func number(_ number: Double) -> GimpParam {
    GimpParam(type: GIMP_PDB_FLOAT, data: GimpParamData(d_float: number))
  }
}
