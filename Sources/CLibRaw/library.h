#pragma once
#include <libraw/libraw.h>

#include "raw_file.h"

/// The functions of LibRaw that are used.
typedef struct {
  libraw_data_t *(*init)(unsigned flags);
  int (*open_file)(libraw_data_t *, const char *);
  int (*unpack)(libraw_data_t *);
  void (*recycle_datastream)(libraw_data_t *);
  void (*close)(libraw_data_t *);
  int (*color)(libraw_data_t *, int row, int column);
  int (*version_number)(void);
  const char *(*unpack_function_name)(libraw_data_t *);
  void (*set_dataerror_handler)(libraw_data_t *, data_callback, void *);
  void (*set_memerror_handler)(libraw_data_t *, memory_callback, void *);
} raw_library;

/// LibRaw, loaded at the first call; NULL with one line of text where there is none that fits.
const raw_library *raw_library_load(char message[RAW_MESSAGE_SIZE]);
