#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define STRING(text) #text
#define SONAME(current) "libraw_r.so." STRING(current)

static raw_library library;
static bool is_loaded;
static char problem[RAW_MESSAGE_SIZE];
static pthread_once_t once = PTHREAD_ONCE_INIT;

const char *raw_library_name(void) { return SONAME(LIBRAW_SHLIB_CURRENT); }

static void load(void) {
  // Never closed: frames of LibRaw's live as long as they are needed.
  void *handle = dlopen(raw_library_name(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    snprintf(problem, sizeof problem, "%s", reason ? reason : "it is not installed");
    return;
  }
  const struct {
    const char *name;
    void **target;
  } symbols[] = {
    {"libraw_init", (void **)&library.init},
    {"libraw_open_file", (void **)&library.open_file},
    {"libraw_unpack", (void **)&library.unpack},
    {"libraw_recycle_datastream", (void **)&library.recycle_datastream},
    {"libraw_close", (void **)&library.close},
    {"libraw_COLOR", (void **)&library.color},
    {"libraw_versionNumber", (void **)&library.version_number},
    {"libraw_unpack_function_name", (void **)&library.unpack_function_name},
    {"libraw_set_dataerror_handler", (void **)&library.set_dataerror_handler},
    {"libraw_set_memerror_handler", (void **)&library.set_memerror_handler},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
    *symbols[index].target = dlsym(handle, symbols[index].name);
    if (!*symbols[index].target) {
      snprintf(problem, sizeof problem, "it has no function %s", symbols[index].name);
      return;
    }
  }
  // Its structures are read directly, and other versions have others. Patches keep them.
  unsigned version = (unsigned)library.version_number();
  if (version >> 8 != (unsigned)LIBRAW_VERSION >> 8) {
    snprintf(
      problem, sizeof problem, "it is version %u.%u, needed is %u.%u", version >> 16, version >> 8 & 255,
      LIBRAW_MAJOR_VERSION, LIBRAW_MINOR_VERSION);
    return;
  }
  is_loaded = true;
}

const raw_library *raw_library_load(char message[RAW_MESSAGE_SIZE]) {
  pthread_once(&once, load);
  if (is_loaded) return &library;
  snprintf(message, RAW_MESSAGE_SIZE, "%s", problem);
  return NULL;
}
