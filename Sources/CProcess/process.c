#define _GNU_SOURCE
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "process.h"

bool process_end_with_parent(int parent) {
  // Asked afterwards, since the parent may end before the kernel knows of the wish.
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}
