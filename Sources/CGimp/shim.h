// What Swift cannot import from libgimp and GTK: variadic functions and macros that cast.
#pragma once

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

/// A dialog with the buttons Cancel and OK, the help page being the procedure's own.
static inline GtkWidget *cgimp_dialog_new(const char *title, const char *role) {
  GtkWidget *dialog = gimp_dialog_new(title, role, NULL, (GtkDialogFlags)0, gimp_standard_help_func, role,
                                      "_Cancel", GTK_RESPONSE_CANCEL, "_OK", GTK_RESPONSE_OK, NULL);
  gtk_dialog_set_alternative_button_order(GTK_DIALOG(dialog), GTK_RESPONSE_OK, GTK_RESPONSE_CANCEL, -1);
  return dialog;
}
