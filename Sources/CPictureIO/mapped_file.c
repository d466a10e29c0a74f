#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "picture_io.h"

// Of this thread: whether it is in a library that maps files, and whether a file has ended before its mapping since.
static _Thread_local volatile sig_atomic_t is_mapping;
static _Thread_local volatile sig_atomic_t has_ended;
static struct sigaction former;
static uintptr_t page_size;

// Puts zeros in the place of the page that is gone. mmap is one system call, which may stand in a handler.
static void fill(int number, siginfo_t *info, void *context) {
  (void)context;
  if (is_mapping && info->si_code == BUS_ADRERR) {
    void *page = (void *)((uintptr_t)info->si_addr & ~(page_size - 1));
    if (mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page) {
      has_ended = 1;
      return;
    }
  }
  // As if this handler were not there: what is wrong comes again.
  sigaction(number, &former, NULL);
}

void picture_survive_shrinking_files(void) {
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct sigaction action = {.sa_sigaction = fill, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &former);
}

void picture_mapping_begins(void) {
  has_ended = 0;
  is_mapping = 1;
}

bool picture_mapping_ends(void) {
  is_mapping = 0;
  return !has_ended;
}
