#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static heif_library library;
static bool is_loaded;
static char problem[HEIF_MESSAGE_SIZE];
static pthread_once_t once = PTHREAD_ONCE_INIT;

const char *heif_library_name(void) { return "libheif.so.1"; }

static void load(void) {
  // Never closed: pictures live as long as they are needed.
  void *handle = dlopen(heif_library_name(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    snprintf(problem, sizeof problem, "%s", reason ? reason : "it is not installed");
    return;
  }
#define LOAD(name) \
  library.name = (__typeof__(library.name))dlsym(handle, #name); \
  if (!library.name) { \
    snprintf(problem, sizeof problem, "it has no function " #name); \
    return; \
  }
  HEIF_FUNCTIONS(LOAD)
  is_loaded = true;
}

const heif_library *heif_library_load(char message[HEIF_MESSAGE_SIZE]) {
  pthread_once(&once, load);
  if (is_loaded) return &library;
  snprintf(message, HEIF_MESSAGE_SIZE, "%s", problem);
  return NULL;
}
