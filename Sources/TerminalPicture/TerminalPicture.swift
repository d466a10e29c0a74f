import CChafa
import TextOutput

/// Pictures as what terminals take them in, made by chafa.
public enum TerminalPicture {
  /// The bytes that draw a picture and go to the next line; nothing for ``TerminalGraphics/none`` and for a picture without
  /// pixels. The picture should fit the terminal's ``TerminalScreen/room``.
  public static func bytes(_ preview: Preview, on screen: TerminalScreen) -> [UInt8] {
    guard preview.width > 0, preview.height > 0, preview.width <= 8192, preview.height <= 8192 else { return [] }
    switch screen.graphics {
    case .none: return []
    case .blocks: return blocks(preview, screen)
    case .sixel, .kitty, .iterm:
      let (columns, rows) = cells(preview, screen.cell)
      let sequence = pixels(preview, screen, columns, rows)
      return screen.isTmux ? passed(sequence, rows: rows) : sequence + [0x0A]
    }
  }

  /// How many columns and lines the pixels need.
  private static func cells(_ preview: Preview, _ cell: (width: Int, height: Int)) -> (columns: Int, rows: Int) {
    ((preview.width + cell.width - 1) / cell.width, (preview.height + cell.height - 1) / cell.height)
  }

  private static func blocks(_ preview: Preview, _ screen: TerminalScreen) -> [UInt8] {
    let (columns, rows) = cells(preview, (1, 2))
    // chafa looks at 8 × 8 pixels a character; repeated ones keep their colours.
    let image = preview.enlarged(width: 8 * columns, height: 8 * rows, repeating: (8, 4))
    var terminal = ["TERM=xterm-256color", "COLORTERM=truecolor"]
    var mode = CHAFA_CANVAS_MODE_TRUECOLOR
    switch screen.colors {
    case .direct: break
    case .indexed: (terminal, mode) = (["TERM=xterm-256color"], CHAFA_CANVAS_MODE_INDEXED_240)
    case .sixteen: (terminal, mode) = (["TERM=linux"], CHAFA_CANVAS_MODE_INDEXED_16)
    }
    let text = draw(image, columns, rows, (8, 8), CHAFA_PIXEL_MODE_SYMBOLS, mode, terminal)
    return text.last == 0x0A || text.isEmpty ? text : text + [0x0A]
  }

  private static func pixels(_ preview: Preview, _ screen: TerminalScreen, _ columns: Int, _ rows: Int) -> [UInt8] {
    guard screen.graphics != .sixel else {
      // Sixels know no cells, but come in sixes; chafa would make the picture smaller.
      let (width, height) = (preview.width, (preview.height + 5) / 6 * 6)
      let image = preview.enlarged(width: width, height: height)
      return draw(
        image, 1, 1, (width, height), CHAFA_PIXEL_MODE_SIXELS, CHAFA_CANVAS_MODE_TRUECOLOR, ["TERM=mlterm"])
    }
    let (width, height) = (columns * screen.cell.width, rows * screen.cell.height)
    let image = preview.enlarged(width: width, height: height)
    guard screen.graphics == .iterm else { return kitty(image, width, height, columns, rows) }
    return draw(
      image, columns, rows, screen.cell, CHAFA_PIXEL_MODE_ITERM2, CHAFA_CANVAS_MODE_TRUECOLOR,
      ["TERM=xterm-256color", "TERM_PROGRAM=iTerm.app"])
  }

  /// The graphics protocol of kitty, in parts of 4096 digits. Not by chafa, which (1.12) damages the last byte of each part.
  private static func kitty(_ image: [UInt8], _ width: Int, _ height: Int, _ columns: Int, _ rows: Int) -> [UInt8] {
    var result: [UInt8] = []
    // No answer is wanted, which would be taken for something typed.
    var keys = "a=T,q=2,f=32,s=\(width),v=\(height),c=\(columns),r=\(rows),"
    for start in stride(from: 0, to: image.count, by: 3072) {
      let end = min(start + 3072, image.count)
      let payload = base64(image[start..<end])
      result += Array("\u{1B}_G\(keys)m=\(end < image.count ? 1 : 0);\(payload)\u{1B}\\".utf8)
      keys = ""
    }
    return result
  }

  /// - Parameters:
  ///   - image: four bytes a pixel, `columns` × `rows` cells.
  ///   - terminal: the environment by which chafa knows the sequences.
  private static func draw(
    _ image: [UInt8], _ columns: Int, _ rows: Int, _ cell: (width: Int, height: Int), _ mode: ChafaPixelMode,
    _ colors: ChafaCanvasMode, _ terminal: [String]
  ) -> [UInt8] {
    guard let config = chafa_canvas_config_new(), let symbols = chafa_symbol_map_new() else { return [] }
    defer {
      chafa_canvas_config_unref(config)
      chafa_symbol_map_unref(symbols)
    }
    let tags = CHAFA_SYMBOL_TAG_VHALF.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue | CHAFA_SYMBOL_TAG_SOLID.rawValue
    chafa_symbol_map_add_by_tags(symbols, ChafaSymbolTags(rawValue: tags))
    chafa_canvas_config_set_symbol_map(config, symbols)
    chafa_canvas_config_set_geometry(config, gint(columns), gint(rows))
    chafa_canvas_config_set_cell_geometry(config, gint(cell.width), gint(cell.height))
    chafa_canvas_config_set_pixel_mode(config, mode)
    chafa_canvas_config_set_canvas_mode(config, colors)
    // It would stretch the contrast of pictures with few colours.
    chafa_canvas_config_set_preprocessing_enabled(config, 0)
    chafa_canvas_config_set_optimizations(config, CHAFA_OPTIMIZATION_NONE)
    chafa_canvas_config_set_work_factor(config, 1)
    // 256 colours are not enough for a smooth picture. chafa (1.12) writes beside the rows of a picture one pixel wide.
    let isDithered = mode == CHAFA_PIXEL_MODE_SIXELS && cell.width > 1
    chafa_canvas_config_set_dither_mode(config, isDithered ? CHAFA_DITHER_MODE_DIFFUSION : CHAFA_DITHER_MODE_NONE)
    chafa_canvas_config_set_dither_grain_size(config, 1, 1)
    guard let canvas = chafa_canvas_new(config) else { return [] }
    defer { chafa_canvas_unref(canvas) }
    let (width, height) = (columns * cell.width, rows * cell.height)
    guard image.count == 4 * width * height else { return [] }
    chafa_canvas_draw_all_pixels(
      canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, image, gint(width), gint(height), gint(4 * width))
    var variables: [UnsafeMutablePointer<gchar>?] = terminal.map { g_strdup($0) } + [nil]
    defer { for variable in variables { g_free(variable) } }
    guard let info = chafa_term_db_detect(chafa_term_db_get_default(), &variables) else { return [] }
    defer { chafa_term_info_unref(info) }
    guard let text = chafa_canvas_print(canvas, info) else { return [] }
    defer { g_string_free(text, 1) }
    return text.pointee.str.map { start in
      start.withMemoryRebound(to: UInt8.self, capacity: Int(text.pointee.len)) {
        Array(UnsafeBufferPointer(start: $0, count: Int(text.pointee.len)))
      }
    } ?? []
  }

  /// Control sequences wrapped so that tmux passes them on (where its option `allow-passthrough` is on). It does not know
  /// that the picture takes lines: they are made first.
  static func passed(_ sequence: [UInt8], rows: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0x0A, count: rows) + Array("\u{1B}[\(rows)A".utf8)
    for part in controlStrings(sequence) {
      result += Array("\u{1B}Ptmux;".utf8)
      for byte in part { result += byte == 0x1B ? [0x1B, 0x1B] : [byte] }
      result += Array("\u{1B}\\".utf8)
    }
    return result + Array("\u{1B}[\(rows)B\r".utf8)
  }

  /// The control strings one by one: kitty sends a picture in many, and tmux takes only so much at once.
  private static func controlStrings(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      let isEnd = bytes[index] == 0x07 || (bytes[index] == 0x1B && index + 1 < bytes.count && bytes[index + 1] == 0x5C)
      index += isEnd && bytes[index] == 0x1B ? 2 : 1
      if isEnd {
        parts.append(bytes[start..<index])
        start = index
      }
    }
    if start < bytes.count { parts.append(bytes[start...]) }
    return parts
  }
}
