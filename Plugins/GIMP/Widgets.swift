import CGimp

typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer where Pointee == GtkWidget {
  /// The same widget as one of its classes: what GTK's cast macros give.
  func cast<Class>(to type: Class.Type = Class.self) -> UnsafeMutablePointer<Class> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Class.self)
  }

  /// The same widget as an interface.
  var opaque: OpaquePointer { OpaquePointer(self) }

  /// Does something at a signal without parameters of its own.
  func on(_ signal: String, _ action: @escaping () -> Void) {
    let handler: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
      guard let data else { return }
      Unmanaged<Action>.fromOpaque(data).takeUnretainedValue().perform()
    }
    g_signal_connect_data(
      self, signal, unsafeBitCast(handler, to: GCallback.self), Unmanaged.passRetained(Action(action)).toOpaque(),
      { data, _ in data.map { Unmanaged<Action>.fromOpaque($0).release() } }, GConnectFlags(rawValue: 0))
  }

  /// Says what it is for, where the pointer rests on it.
  func explain(_ text: String) { gimp_help_set_help_data(self, text, nil) }
}

/// Something to do, for C.
final class Action {
  let perform: () -> Void

  init(_ perform: @escaping () -> Void) { self.perform = perform }
}

/// A field of a form: a widget, and the text that it stands for.
struct Field {
  let widget: Widget
  let read: () -> String
  let write: (String) -> Void
  /// The signal of a change, and the widget that gives it.
  let change: [(widget: Widget, signal: String)]

  /// Lets a field for files begin in the folder of a file.
  func look(besides path: String) {
    guard let slash = path.lastIndex(of: "/") else { return }
    _ = gtk_file_chooser_set_current_folder(widget.opaque, String(path[..<slash]) + "/")
  }

  /// One of some choices: how each is written, and how it is shown.
  static func choice(_ choices: [(value: String, label: String)]) -> Field? {
    guard let combo = gtk_combo_box_text_new() else { return nil }
    for choice in choices { gtk_combo_box_text_append_text(combo.cast(), choice.label) }
    return Field(
      widget: combo,
      read: {
        let index = Int(gtk_combo_box_get_active(combo.cast()))
        return choices.indices.contains(index) ? choices[index].value : ""
      },
      write: { text in
        gtk_combo_box_set_active(combo.cast(), gint(choices.firstIndex { $0.value == text } ?? 0))
      }, change: [(combo, "changed")])
  }

  /// A number.
  static func number(_ range: ClosedRange<Double>, step: Double, digits: guint) -> Field? {
    guard let spin = gtk_spin_button_new_with_range(range.lowerBound, range.upperBound, step) else { return nil }
    gtk_spin_button_set_digits(spin.cast(), digits)
    return Field(
      widget: spin, read: { "\(gtk_spin_button_get_value(spin.cast()))" },
      write: { gtk_spin_button_set_value(spin.cast(), Double($0) ?? 0) }, change: [(spin, "value-changed")])
  }

  /// A text.
  static func text() -> Field? {
    guard let entry = gtk_entry_new() else { return nil }
    return Field(
      widget: entry, read: { gtk_entry_get_text(entry.cast()).map { String(cString: $0) } ?? "" },
      write: { gtk_entry_set_text(entry.cast(), $0) }, change: [(entry, "changed")])
  }

  /// Yes ("1") or no ("0").
  static func flag(_ label: String) -> Field? {
    guard let button = gtk_check_button_new_with_mnemonic(label) else { return nil }
    return Field(
      widget: button, read: { gtk_toggle_button_get_active(button.cast()) != 0 ? "1" : "0" },
      write: { gtk_toggle_button_set_active(button.cast(), Double($0) == 0 ? 0 : 1) }, change: [(button, "toggled")])
  }

  /// The path of a file, which may be empty.
  static func path(_ title: String) -> Field? {
    guard let entry = gimp_file_entry_new(title, "", 0, 0) else { return nil }
    return Field(
      widget: entry,
      read: {
        guard let text = gimp_file_entry_get_filename(entry.cast()) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
      }, write: { gimp_file_entry_set_filename(entry.cast(), $0) }, change: [(entry, "filename-changed")])
  }

  /// A file that must be there.
  static func file(_ title: String) -> Field? {
    guard let button = gtk_file_chooser_button_new(title, GTK_FILE_CHOOSER_ACTION_OPEN) else { return nil }
    return Field(
      widget: button,
      read: {
        guard let text = gtk_file_chooser_get_filename(button.opaque) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
      }, write: { if !$0.isEmpty { _ = gtk_file_chooser_set_filename(button.opaque, $0) } },
      change: [(button, "file-set")])
  }

  /// A layer of an image, by its number.
  static func layer(of image: gint32) -> Field? {
    choice(Layer.all(of: image).map { ("\($0.id)", $0.name) })
  }

  /// How bright the result is: metered, fixed, or a gain of so many stops, in a field of its own.
  static func exposure() -> Field? {
    guard let box = gtk_hbox_new(0, 6), let spin = number(-20...20, step: 0.1, digits: 2),
      let kind = choice([("auto", "Metered"), ("fixed", "Fixed"), ("gain", "Gain in stops")])
    else { return nil }
    gtk_box_pack_start(box.cast(), kind.widget, 1, 1, 0)
    gtk_box_pack_start(box.cast(), spin.widget, 0, 0, 0)
    spin.write("0")
    kind.widget.on("changed") { gtk_widget_set_sensitive(spin.widget, kind.read() == "gain" ? 1 : 0) }
    return Field(
      widget: box, read: { kind.read() == "gain" ? spin.read() : kind.read() },
      write: { text in
        let isGain = text != "auto" && text != "fixed"
        if isGain { spin.write(text) }
        kind.write(isGain ? "gain" : text)
      }, change: kind.change + spin.change)
  }
}
