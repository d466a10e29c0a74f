/// A page (HTML that is also well-formed XML) that needs nothing beside it and no script.
public enum WebPage {
  /// The document.
  ///
  /// - Parameters:
  ///   - style: what there is beside the style sheet that all pages share.
  ///   - body: writes what is shown.
  public static func html(title: String, style: String = "", _ body: (inout Markup) -> Void) -> String {
    var document = Markup()
    document.element("html", ["xmlns": "http://www.w3.org/1999/xhtml", "lang": "en"]) {
      $0.element("head") { head in
        head.empty("meta", ["charset": "utf-8"])
        head.empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        head.element("title", text: title)
        head.element("style") { $0.append(literally: sheet + style) }
      }
      $0.element("body", [:], body)
    }
    return "<!DOCTYPE html>\n" + document.text + "\n"
  }

  /// The style sheet. Colours of the pictures: M. Okabe, K. Ito, "Color Universal Design" (2008).
  private static let sheet = """
    :root{color-scheme:light dark;--paper:#fcfcfb;--panel:#f3f3f0;--ink:#1c1d1f;--muted:#5d6166;--rule:#d8d8d3;
    --result:#0067a8;--ambient:#b45309;--flash:#75797e;--band:#0067a81f;--warm:#d9770640}
    @media (prefers-color-scheme:dark){:root{--paper:#16181b;--panel:#1f2226;--ink:#e8e8e6;--muted:#a2a7ad;--rule:#373c42;
    --result:#62b8ec;--ambient:#f0a04b;--flash:#9aa0a6;--band:#62b8ec26}}
    *{box-sizing:border-box}
    html{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--paper);
    color:var(--ink);-webkit-text-size-adjust:100%}
    body{margin:0 auto;max-width:66rem;padding:2.5rem 1.5rem 4rem}
    h1{font-size:2rem;line-height:1.2;margin:0 0 .4rem;letter-spacing:-.015em}
    h2{font-size:1.5rem;line-height:1.25;margin:3.5rem 0 .5rem;padding-top:1.2rem;border-top:2px solid var(--ink)}
    h3{font-size:1.15rem;margin:2.6rem 0 .4rem}
    h4{font-size:1rem;margin:1.6rem 0 .5rem}
    p{margin:.4rem 0 .9rem;max-width:46rem}
    .muted,figcaption,caption{color:var(--muted)}
    a{color:var(--result)}
    nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;list-style:none;margin:1.2rem 0 0;padding:0}
    .tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:.9rem;margin:1.4rem 0;padding:0;
    list-style:none}
    .tiles li{background:var(--panel);border-radius:.6rem;padding:.9rem 1.1rem 1rem;break-inside:avoid}
    .tiles .number{display:block;font-size:1.9rem;line-height:1.2;font-weight:650;letter-spacing:-.02em;
    font-variant-numeric:tabular-nums}
    .tiles .words{display:block;font-size:.85rem;line-height:1.4;color:var(--muted);margin-top:.2rem}
    .scroll{overflow-x:auto;margin:.9rem 0 1.4rem}
    .scroll:focus-visible{outline:2px solid var(--result);outline-offset:3px}
    table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;width:100%}
    caption{text-align:left;font-size:.85rem;padding:0 0 .4rem;font-weight:600}
    th,td{padding:.32rem .7rem;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--rule)}
    th:first-child,td:first-child{padding-left:.3rem}
    thead th{font-weight:600;color:var(--muted);font-size:.82rem;vertical-align:bottom;border-bottom:1px solid var(--muted)}
    tbody th{font-weight:400}tbody th:last-of-type{min-width:8rem}
    .n{text-align:right}td.n{white-space:nowrap}
    tr.ours th,tr.ours td{font-weight:650}
    tr.ours th.method{color:var(--result)}
    figure{margin:.9rem 0 1.6rem}figure>.scroll{margin:0}tr.next>*{border-top:1px solid var(--muted)}
    figcaption{font-size:.85rem;line-height:1.45;margin:.4rem 0;max-width:46rem}
    svg{display:block;max-width:100%;height:auto;font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
    svg text{fill:var(--ink);font-variant-numeric:tabular-nums}
    svg .small{font-size:12px;fill:var(--muted)}svg .tiny{font-size:11px;fill:var(--muted)}
    svg text.strong{font-weight:600;fill:var(--ink)}
    svg .cell[fill="#111"]{fill:#111}svg .cell[fill="#fff"]{fill:#fff}
    svg text.result{fill:var(--result)}svg text.ambient{fill:var(--ambient)}svg text.flash{fill:var(--muted)}
    svg rect.result{fill:var(--result)}svg rect.ambient{fill:var(--ambient)}svg rect.flash{fill:var(--flash)}
    .plane{fill:none;stroke:var(--rule)}.grid{stroke:var(--rule)}.axis{stroke:var(--muted)}
    .hole{fill:var(--panel);stroke:var(--rule)}
    .band{fill:var(--band)}.diagonal{stroke:var(--muted);stroke-dasharray:5 4}
    .curve{fill:none;stroke:var(--result);stroke-width:1.5}.dot{fill:var(--result)}
    .hollow{fill:var(--paper);stroke:var(--result);stroke-width:1.5}
    .dots{fill:none;stroke-width:3.4;stroke-linecap:round;stroke-opacity:.75}
    .cross{stroke:var(--ink);stroke-width:1.4;fill:none}.crosshalo{stroke:var(--paper);stroke-width:3.6;fill:none}
    .stripes{shape-rendering:crispEdges}.keyframe{fill:none;stroke:var(--muted);stroke-dasharray:4 3}.keyfield{fill:var(--panel)}
    .side{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:0 2.2rem;align-items:start}
    .patches{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:1rem 1.1rem;margin:.8rem 0 1.4rem;
    padding:0;list-style:none}
    .patches li{break-inside:avoid}.patches svg{width:100%;border-radius:.3rem}
    .patches .name{display:block;font-size:.85rem;margin-top:.25rem;line-height:1.35}
    .patches .name .muted{display:block;font-size:.8rem}
    .pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr));gap:.7rem}
    .pictures figure{margin:0}.pictures img{display:block;width:100%;height:auto;border-radius:.3rem;background:var(--panel)}
    .worst{break-inside:avoid;margin:1.2rem 0 2rem}
    dl{max-width:50rem}dt{font-weight:600;margin-top:.9rem}dt .unit{font-weight:400;color:var(--muted)}dd{margin:.1rem 0 0}
    details{margin:1rem 0}summary{cursor:pointer;font-weight:600;padding:.3rem 0}
    summary:focus-visible{outline:2px solid var(--result);outline-offset:2px}
    @media (max-width:40rem){body{padding:1.4rem 1rem 3rem}h1{font-size:1.6rem}.patches{grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.8rem}
    .tiles{grid-template-columns:1fr 1fr}.tiles li{padding:.7rem .8rem}.tiles .number{font-size:1.45rem}}
    @media print{:root{--paper:#fff;--panel:#f3f3f0;--ink:#000;--muted:#444;--rule:#bbb;--result:#0067a8;--ambient:#b45309;
    --flash:#75797e}html{font-size:10.5pt}body{max-width:none;padding:0}nav{display:none}h2,h3,h4{break-after:avoid}
    table,figure{break-inside:avoid}.scroll{overflow:visible}svg{min-width:0!important}
    table{font-size:.82rem}th,td{padding:.22rem .45rem}tbody th:last-of-type{min-width:0}.side{grid-template-columns:1fr 1fr}
    .patches{grid-template-columns:repeat(4,1fr);gap:.6rem .8rem}.tiles{grid-template-columns:repeat(3,1fr)}
    .pictures{grid-template-columns:repeat(4,1fr)}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
    """
}
