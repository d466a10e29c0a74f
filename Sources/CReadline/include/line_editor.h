// Lines that a person types, through GNU readline. Its long jumps and signal handlers stay on this side: handlers only set
// flags, which the loop that waits for keys looks at.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// How reading a line ended.
typedef enum line_outcome {
  LINE_READ,        ///< there is a line
  LINE_END,         ///< Ctrl-D on an empty line, or the terminal is gone
  LINE_INTERRUPTED, ///< Ctrl-C
  LINE_TERMINATED,  ///< the process was asked to end
} line_outcome;

/// What could stand at the end of a word.
typedef struct line_completion {
  /// Where the word begins, in bytes of the line.
  int start;
  /// The words that could stand there, `count` of them, each from `malloc`, in an array from `malloc`.
  char **words;
  size_t count;
  /// What is put after a word when it is the only one; 0: nothing.
  char append;
  /// What is shown where there are several words, or none; from `malloc`, or NULL.
  char *listing;
} line_completion;

/// Fills `completion` for a line with the cursor at byte `end`.
typedef void (*line_completer)(const char *line, int end, line_completion *completion, void *context);

/// Prepares the editor: the name by which inputrc knows it, and who completes.
void line_editor_start(const char *name, line_completer completer, void *context);

/// Reads a line; on LINE_READ `*line` is from `malloc`. Pasted text may hold line breaks.
line_outcome line_editor_read(const char *prompt, char **line);

/// The signal that asked the process to end, after LINE_TERMINATED.
int line_editor_signal(void);

/// Adds a line to what the arrow keys go through; the same line elsewhere is forgotten.
void line_editor_remember(const char *line);

