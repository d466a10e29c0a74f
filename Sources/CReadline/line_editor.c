#include "line_editor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

// MARK: signals

static volatile sig_atomic_t interrupted, resized, stopped, terminated;

static void on_signal(int number) {
  switch (number) {
  case SIGINT: interrupted = 1; break;
  case SIGWINCH: resized = 1; break;
  case SIGTSTP: stopped = 1; break;
  default: terminated = number; break;
  }
}

static const int watched[] = {SIGINT, SIGWINCH, SIGTSTP, SIGTERM, SIGHUP};
enum { watched_count = sizeof watched / sizeof *watched };

/// Takes the signals, which are blocked from then on but while the loop waits.
static void take_signals(struct sigaction former[], sigset_t *former_mask) {
  struct sigaction action = {.sa_handler = on_signal};
  sigset_t mask;
  sigemptyset(&action.sa_mask);
  sigemptyset(&mask);
  interrupted = resized = stopped = terminated = 0;
  for (int index = 0; index < watched_count; index++) {
    sigaction(watched[index], &action, &former[index]);
    sigaddset(&mask, watched[index]);
  }
  sigprocmask(SIG_BLOCK, &mask, former_mask);
}

static void give_signals_back(const struct sigaction former[], const sigset_t *former_mask) {
  for (int index = 0; index < watched_count; index++) sigaction(watched[index], &former[index], NULL);
  sigprocmask(SIG_SETMASK, former_mask, NULL);
}

/// Stops the process as if it had not asked for the signal, and goes on where it was continued.
static void stop_process(const sigset_t *waiting) {
  struct sigaction standard = {.sa_handler = SIG_DFL}, own;
  rl_deprep_terminal();
  sigemptyset(&standard.sa_mask);
  sigaction(SIGTSTP, &standard, &own);
  raise(SIGTSTP);
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, waiting, &blocked);
  sigprocmask(SIG_SETMASK, &blocked, NULL);
  sigaction(SIGTSTP, &own, NULL);
  rl_prep_terminal(1);
  rl_forced_update_display();
}

// MARK: lines

static char *taken;
static bool is_done;

static void take_line(char *line) {
  taken = line;
  is_done = true;
  // Removed here, so that no second prompt appears.
  rl_callback_handler_remove();
}

/// The mask while the loop waits.
static sigset_t waiting;

/// The next byte. Signals come in only while it waits: a read that blocks would not be left, since the terminal forgets what was
/// typed when Ctrl-C comes.
static int next_byte(FILE *stream) {
  while (true) {
    if (interrupted || terminated) return EOF;
    struct pollfd input = {.fd = fileno(stream), .events = POLLIN};
    int ready = ppoll(&input, 1, NULL, &waiting);
    if (ready < 0 && errno == EINTR) continue;
    unsigned char byte;
    ssize_t count = ready > 0 ? read(fileno(stream), &byte, 1) : -1;
    if (count == 1) return byte;
    if (count < 0 && ready > 0 && (errno == EINTR || errno == EAGAIN)) continue;
    return EOF;
  }
}

line_outcome line_editor_read(const char *prompt, char **line) {
  struct sigaction former[watched_count];
  sigset_t former_mask;
  *line = NULL;
  taken = NULL;
  is_done = false;
  take_signals(former, &former_mask);
  waiting = former_mask;
  for (int index = 0; index < watched_count; index++) sigdelset(&waiting, watched[index]);
  // The terminal may have been resized while something else ran.
  rl_reset_screen_size();
  rl_callback_handler_install(prompt, take_line);
  line_outcome outcome = LINE_END;
  while (!is_done || interrupted || terminated) {
    if (interrupted || terminated) {
      outcome = interrupted ? LINE_INTERRUPTED : LINE_TERMINATED;
      free(taken);
      taken = NULL;
      // As other shells show it.
      fputs(interrupted ? "^C" : "", rl_outstream ? rl_outstream : stdout);
      rl_callback_sigcleanup();
      rl_free_line_state();
      rl_callback_handler_remove();
      rl_replace_line("", 0);
      fputc('\n', rl_outstream ? rl_outstream : stdout);
      fflush(rl_outstream ? rl_outstream : stdout);
      break;
    }
    struct pollfd input = {.fd = fileno(rl_instream ? rl_instream : stdin), .events = POLLIN};
    int ready = ppoll(&input, 1, NULL, &waiting);
    if (interrupted || terminated) continue;
    if (stopped) {
      stopped = 0;
      stop_process(&waiting);
      continue;
    }
    if (resized) {
      resized = 0;
      rl_resize_terminal();
    }
    if (ready < 0 && errno != EINTR) {
      rl_callback_handler_remove();
      break;
    }
    if (ready > 0) {
      if (input.revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) rl_callback_read_char();
    }
  }
  give_signals_back(former, &former_mask);
  if (taken) {
    *line = taken;
    taken = NULL;
    return LINE_READ;
  }
  return outcome;
}

int line_editor_signal(void) { return terminated; }

void line_editor_remember(const char *line) {
  if (!*line) return;
  // The list is searched from its end: that is where repeated lines are.
  for (int index = history_length - 1; index >= 0; index--) {
    HIST_ENTRY *entry = history_get(history_base + index);
    if (!entry || strcmp(entry->line, line) != 0) continue;
    free_history_entry(remove_history(index));
    break;
  }
  add_history(line);
}

// MARK: completion

static line_completer completer;
static void *completer_context;
static char *listing;

static void show_listing(void) {
  if (!listing || !*listing) return;
  rl_crlf();
  fputs(listing, rl_outstream);
  rl_crlf();
  rl_on_new_line();
}

static void display(char **matches, int count, int longest) {
  (void)matches, (void)count, (void)longest;
  show_listing();
}

/// A word as readline is to put it at `start`, which is where it saw the beginning of the word.
static char *moved(const char *word, int from, int start) {
  if (from == start) return strdup(word);
  if (from < start) {
    size_t skipped = (size_t)(start - from);
    return strdup(strlen(word) >= skipped ? word + skipped : "");
  }
  size_t kept = (size_t)(from - start), length = strlen(word);
  char *text = malloc(kept + length + 1);
  if (!text) return NULL;
  memcpy(text, rl_line_buffer + start, kept);
  memcpy(text + kept, word, length + 1);
  return text;
}

static size_t common(const char *one, const char *other) {
  size_t length = 0;
  while (one[length] && one[length] == other[length]) length++;
  // Not through a character of several bytes.
  while (length > 0 && ((unsigned char)one[length] & 0xC0) == 0x80) length--;
  return length;
}

static char **complete(const char *text, int start, int end) {
  (void)text;
  rl_attempted_completion_over = 1;
  rl_filename_completion_desired = 0;
  rl_completion_suppress_quote = 1;
  rl_completion_suppress_append = 1;
  rl_sort_completion_matches = 0;
  free(listing);
  listing = NULL;
  line_completion completion = {.start = start};
  if (completer) completer(rl_line_buffer, end, &completion, completer_context);
  listing = completion.listing;
  char **matches = NULL;
  if (completion.count > 0) matches = calloc(completion.count + 2, sizeof *matches);
  for (size_t index = 0; index < completion.count; index++) {
    if (matches) matches[index + 1] = moved(completion.words[index], completion.start, start);
    free(completion.words[index]);
  }
  free(completion.words);
  if (!matches) {
    // Nothing can be put there, but something can be told.
    if (listing && *listing) {
      show_listing();
      rl_forced_update_display();
    }
    return NULL;
  }
  size_t length = strlen(matches[1]);
  for (size_t index = 1; index < completion.count; index++) {
    size_t shared = common(matches[1], matches[index + 1]);
    if (shared < length) length = shared;
  }
  matches[0] = strndup(matches[1], length);
  if (completion.count == 1) {
    free(matches[1]);
    matches[1] = NULL;
    rl_completion_append_character = completion.append;
    rl_completion_suppress_append = completion.append == 0;
  }
  return matches;
}

void line_editor_start(const char *name, line_completer own_completer, void *context) {
  completer = own_completer;
  completer_context = context;
  rl_readline_name = name;
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_getc_function = next_byte;
  rl_attempted_completion_function = complete;
  rl_completion_display_matches_hook = display;
  rl_completer_word_break_characters = " \t\n\"'=|[](,";
  rl_completer_quote_characters = "";
  rl_basic_quote_characters = "";
  using_history();
  rl_initialize();
}
