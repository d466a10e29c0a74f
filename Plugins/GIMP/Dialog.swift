import CGimp
import ColorScience
import ConstantColor
import Development
import GEGL

/// The dialog: the frames, the options, and a preview that follows them.
final class Dialog {
  private var request: Request
  private let window: Widget
  private var frames: [Field] = []
  private var fields: [Option: Field] = [:]
  private var preview: Preview?
  private let area, status: Widget
  private var show: Field?
  /// The waiting call of ``refresh()``; 0 for none.
  private var timer: guint = 0
  private var isFrameChanged = true
  /// What computes the preview.
  private var worker: Worker?

  init(_ request: Request) throws {
    self.request = request
    gimp_ui_init("constant-color", 1)
    guard let window = cgimp_dialog_new("Constant Color", request.procedure.rawValue),
      let area = gimp_preview_area_new(), let status = gtk_label_new("")
    else { throw GEGLError("GIMP cannot show a dialog") }
    (self.window, self.area, self.status) = (window, area, status)
    gimp_window_set_transient(window.cast())
    build()
  }

  /// Asks, and returns what to do, with the pair in memory. Throws `RenderingCancelled`.
  func run() throws -> (Request, Preview) {
    gtk_widget_show(window)
    schedule()
    while gimp_dialog_run(window.cast()) == GTK_RESPONSE_OK.rawValue {
      stop()
      takeFields()
      if let preview = takeFrames() {
        gtk_widget_destroy(window)
        return (request, preview)
      }
    }
    stop()
    gtk_widget_destroy(window)
    throw RenderingCancelled()
  }

  // MARK: widgets

  private func build() {
    guard let content = gtk_dialog_get_content_area(window.cast()), let row = gtk_hbox_new(0, 12),
      let left = gtk_vbox_new(0, 6), let right = gtk_vbox_new(0, 12), let frame = gtk_frame_new(nil)
    else { return }
    gtk_container_set_border_width(row.cast(), 12)
    gtk_box_pack_start(content.cast(), row, 1, 1, 0)
    gtk_box_pack_start(row.cast(), left, 1, 1, 0)
    gtk_box_pack_start(row.cast(), right, 0, 0, 0)

    gtk_frame_set_shadow_type(frame.cast(), GTK_SHADOW_IN)
    gtk_container_add(frame.cast(), area)
    gtk_widget_set_size_request(area, gint(Preview.side), gint(Preview.side * 2 / 3))
    gtk_box_pack_start(left.cast(), frame, 0, 0, 0)
    show = .choice(Preview.Show.allCases.map { ($0.rawValue, $0.label) })
    if let show {
      show.write(Preview.Show.result.rawValue)
      show.widget.explain("What the preview shows. It is computed from a smaller picture.")
      show.widget.on("changed") { [unowned self] in draw() }
      gtk_box_pack_start(left.cast(), show.widget, 0, 0, 0)
    }
    gtk_label_set_line_wrap(status.cast(), 1)
    gtk_misc_set_alignment(status.cast(), 0, 0)
    gtk_widget_set_size_request(status, gint(Preview.side), -1)
    gtk_box_pack_start(left.cast(), status, 0, 0, 0)

    addFrames(to: right)
    addOptions(to: right)
    gtk_widget_show_all(row)
  }

  private func addFrames(to box: Widget) {
    let isLayers = request.procedure == .layers
    for (label, frame) in [("With _flash:", request.flash), ("_Without flash:", request.ambient)] {
      let title = isLayers ? "Layer" : "Photograph"
      guard let field = isLayers ? Field.layer(of: request.image) : Field.file(title) else { continue }
      switch frame {
      case .layer(let id)?: field.write("\(id)")
      case .file(let path)?: field.write(path)
      case nil: break
      }
      frames.append(field)
      attach(field, label, to: box) { [unowned self] in
        isFrameChanged = true
        // The other photograph is probably beside it.
        for other in frames where !isLayers && other.read().isEmpty { other.look(besides: field.read()) }
        schedule()
      }
    }
    guard let swap = gtk_button_new_with_mnemonic("S_wap the two") else { return }
    swap.explain("The frame with flash is the brighter one, lit from the camera.")
    swap.on("clicked") { [unowned self] in
      guard frames.count == 2 else { return }
      let texts = frames.map { $0.read() }
      frames[0].write(texts[1])
      frames[1].write(texts[0])
      isFrameChanged = true
      schedule()
    }
    gtk_box_pack_start(box.cast(), swap, 0, 0, 0)
  }

  private func addOptions(to box: Widget) {
    for option in request.procedure.options {
      guard let field = Self.field(option) else { continue }
      fields[option] = field
      field.write(request.options[option])
      field.widget.explain(Self.help(option))
      attach(field, Self.label(option), to: box) { [unowned self] in schedule() }
    }
  }

  private func attach(_ field: Field, _ label: String?, to box: Widget, _ changed: @escaping () -> Void) {
    if let label, let row = gtk_hbox_new(0, 6), let text = gtk_label_new_with_mnemonic(label) {
      gtk_misc_set_alignment(text.cast(), 0, 0.5)
      gtk_widget_set_size_request(text, 130, -1)
      gtk_label_set_mnemonic_widget(text.cast(), field.widget)
      gtk_box_pack_start(row.cast(), text, 0, 0, 0)
      gtk_box_pack_start(row.cast(), field.widget, 1, 1, 0)
      gtk_box_pack_start(box.cast(), row, 0, 0, 0)
    } else {
      gtk_box_pack_start(box.cast(), field.widget, 0, 0, 0)
    }
    for change in field.change { change.widget.on(change.signal, changed) }
  }

  // MARK: the preview

  /// Refreshes the preview when nothing has changed for a moment.
  private func schedule() {
    stop()
    say("Computing the preview …")
    timer = g_timeout_add(
      300,
      { data in
        guard let data else { return 0 }
        let dialog = Unmanaged<Dialog>.fromOpaque(data).takeUnretainedValue()
        dialog.timer = 0
        dialog.refresh()
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func stop() {
    if timer != 0 { _ = g_source_remove(timer) }
    timer = 0
    worker?.stop()
    worker = nil
  }

  /// Takes what the fields say, and shows what becomes of it; without a pair that can be developed there is no preview.
  private func refresh() {
    takeFields()
    guard let preview = takeFrames() else { return }
    let options = request.options
    worker = Worker {
      try preview.update(options)
    } done: { [weak self] result in
      self?.worker = nil
      self?.present(preview, result)
    }
  }

  private func present(_ preview: Preview, _ result: Result<Void, any Error>) {
    switch result {
    case .success:
      let percent = Int((preview.meanConfidence * 100).rounded())
      let about = preview.isReduced ? "about " : ""
      say((["Mean confidence: \(about)\(percent) %"] + preview.notes).joined(separator: "\n"))
      gtk_widget_set_size_request(area, gint(preview.size.width), gint(preview.size.height))
      later { $0.draw() }
      allow(true)
    case .failure(let error):
      allow(false)
      say("\(error)")
    }
  }

  private func takeFields() { for (option, field) in fields { request.options[option] = field.read() } }

  /// The frames that are chosen, loaded when they were not; nil where they make no pair.
  private func takeFrames() -> Preview? {
    guard isFrameChanged else { return preview }
    preview = nil
    do {
      let texts = frames.map { $0.read() }
      guard texts.count == 2, !texts.contains("") else { throw InputError("Choose two photographs.") }
      let isLayers = request.procedure == .layers
      func frame(_ text: String) -> Frame { isLayers ? .layer(gint32(text) ?? -1) : .file(text) }
      (request.flash, request.ambient) = (frame(texts[0]), frame(texts[1]))
      preview = try Preview(request.loadedPair())
      isFrameChanged = false
    } catch {
      allow(false)
      say("\(error)")
    }
    return preview
  }

  private func allow(_ isGood: Bool) {
    gtk_dialog_set_response_sensitive(window.cast(), GTK_RESPONSE_OK.rawValue, isGood ? 1 : 0)
  }

  /// Does something when GTK has nothing else to do: has shown texts, and given widgets their sizes.
  private func later(_ action: @escaping (Dialog) -> Void) {
    let action = Action { [weak self] in self.map(action) }
    g_idle_add_full(
      G_PRIORITY_LOW,
      { data in
        if let data { Unmanaged<Action>.fromOpaque(data).takeUnretainedValue().perform() }
        return 0
      }, Unmanaged.passRetained(action).toOpaque(),
      { data in if let data { Unmanaged<Action>.fromOpaque(data).release() } })
  }

  private func draw() {
    guard worker == nil, let preview, let choice = show.flatMap({ Preview.Show(rawValue: $0.read()) }) else { return }
    do {
      let pixels = try preview.pixels(choice)
      let (width, height) = (preview.size.width, preview.size.height)
      guard pixels.count == width * height * 3 else { return }
      gimp_preview_area_set_max_size(area.cast(), gint(width), gint(height))
      gimp_preview_area_draw(
        area.cast(), 0, 0, gint(width), gint(height), GIMP_RGB_IMAGE, pixels, gint(width * 3))
    } catch { say("\(error)") }
  }

  private func say(_ text: String) { gtk_label_set_text(status.cast(), text) }
}
