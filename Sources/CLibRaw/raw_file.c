#include "raw_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"

struct raw_file {
  const raw_library *library;
  libraw_data_t *data;
  uint32_t errors;
  bool ends_early;
};

static void note_data_error(void *context, const char *path, const int offset) {
  raw_file *file = context;
  (void)path;
  file->errors++;
  if (offset < 0) file->ends_early = true;
}

static void note_memory_error(void *context, const char *path, const char *place) {
  (void)context, (void)path, (void)place;
}

static raw_status status_of(int code, const raw_file *file, const char *doing, char message[RAW_MESSAGE_SIZE]) {
  snprintf(message, RAW_MESSAGE_SIZE, "LibRaw cannot %s it (%d)", doing, code);
  switch (code) {
    case LIBRAW_SUCCESS: return RAW_SUCCESS;
    case LIBRAW_FILE_UNSUPPORTED: return RAW_UNKNOWN;
    case LIBRAW_UNSUFFICIENT_MEMORY:
    case LIBRAW_TOO_BIG: return RAW_NO_MEMORY;
    case LIBRAW_IO_ERROR: return RAW_CUT_OFF;
    default: return file->ends_early ? RAW_CUT_OFF : RAW_DAMAGED;
  }
}

raw_file *raw_file_open(const char *path, raw_status *status, char message[RAW_MESSAGE_SIZE]) {
  const raw_library *library = raw_library_load(message);
  if (!library) {
    *status = RAW_NO_LIBRARY;
    return NULL;
  }
  raw_file *file = calloc(1, sizeof *file);
  if (file) {
    file->library = library;
    file->data = library->init(0);
  }
  if (!file || !file->data) {
    free(file);
    *status = RAW_NO_MEMORY;
    snprintf(message, RAW_MESSAGE_SIZE, "there is not enough memory");
    return NULL;
  }
  // LibRaw's own handlers print.
  library->set_dataerror_handler(file->data, note_data_error, file);
  library->set_memerror_handler(file->data, note_memory_error, file);
  // Floats stay floats: LibRaw would scale them by the largest value of the frame.
  file->data->params.raw_processing_options &= ~(unsigned)LIBRAW_PROCESSING_CONVERTFLOAT_TO_INT;
  *status = status_of(library->open_file(file->data, path), file, "open", message);
  // It reads on behind the end of whatever it is given while it looks for something that it knows.
  if (*status == RAW_CUT_OFF) *status = RAW_UNKNOWN;
  if (*status == RAW_SUCCESS) return file;
  raw_file_close(file);
  return NULL;
}

raw_status raw_file_unpack(raw_file *file, char message[RAW_MESSAGE_SIZE]) {
  raw_status status = status_of(file->library->unpack(file->data), file, "unpack", message);
  if (status != RAW_SUCCESS) return status;
  file->library->recycle_datastream(file->data);
  return file->ends_early ? RAW_CUT_OFF : RAW_SUCCESS;
}

void raw_file_close(raw_file *file) {
  if (!file) return;
  file->library->close(file->data);
  free(file);
}

static void describe_filter(raw_file *file, raw_description *d) {
  libraw_data_t *data = file->data;
  if (data->idata.filters == 0 || data->idata.colors == 1) return;
  if (data->idata.filters == 9) {
    d->filter_columns = d->filter_rows = 6;
    for (int y = 0; y < 6; y++)
      for (int x = 0; x < 6; x++) d->filter[y * 6 + x] = (uint8_t)data->idata.xtrans[y][x];
    return;
  }
  // A pattern of two columns and eight rows, or Leaf's of sixteen by sixteen.
  d->filter_columns = data->idata.filters == 1 ? 16 : 2;
  d->filter_rows = data->idata.filters == 1 ? 16 : 8;
  for (uint32_t y = 0; y < d->filter_rows; y++)
    for (uint32_t x = 0; x < d->filter_columns; x++)
      d->filter[y * d->filter_columns + x] = (uint8_t)file->library->color(data, (int)y, (int)x);
}

static void describe_samples(libraw_data_t *data, raw_description *d) {
  const libraw_rawdata_t *raw = &data->rawdata;
  const struct {
    const void *samples;
    raw_layout layout;
    uint32_t samples_per_pixel;
  } candidates[] = {
    {raw->raw_image, RAW_MOSAIC_UINT16, 1},  {raw->float_image, RAW_MOSAIC_FLOAT, 1},
    {raw->color3_image, RAW_COLORS_UINT16, 3}, {raw->color4_image, RAW_COLORS_UINT16, 4},
    {raw->float3_image, RAW_COLORS_FLOAT, 3}, {raw->float4_image, RAW_COLORS_FLOAT, 4},
  };
  for (size_t index = 0; index < sizeof candidates / sizeof *candidates; index++) {
    if (!candidates[index].samples) continue;
    d->samples = candidates[index].samples;
    d->layout = candidates[index].layout;
    d->samples_per_pixel = candidates[index].samples_per_pixel;
    d->row_bytes = data->sizes.raw_pitch;
    if (d->row_bytes == 0) {
      bool is_float = d->layout == RAW_MOSAIC_FLOAT || d->layout == RAW_COLORS_FLOAT;
      d->row_bytes = (size_t)data->sizes.raw_width * d->samples_per_pixel * (is_float ? 4 : 2);
    }
    return;
  }
}

void raw_file_describe(raw_file *file, raw_description *d) {
  libraw_data_t *data = file->data;
  const libraw_image_sizes_t *sizes = &data->sizes;
  const libraw_colordata_t *color = &data->color;
  memset(d, 0, sizeof *d);
  snprintf(d->make, sizeof d->make, "%.63s", data->idata.make);
  snprintf(d->model, sizeof d->model, "%.63s", data->idata.model);
  d->is_dng = data->idata.dng_version != 0;
  d->is_foveon = data->idata.is_foveon != 0;
  // LibRaw keeps whether a sensor is turned to itself; the size of the picture gives it away: it is larger.
  d->is_rotated = sizes->width > sizes->raw_width || sizes->height > sizes->raw_height;
  const char *unpacker = file->library->unpack_function_name(data);
  d->is_uncorrected = unpacker && strncmp(unpacker, "phase_one_load_raw_", 19) == 0;
  d->raw_width = sizes->raw_width, d->raw_height = sizes->raw_height;
  d->left = sizes->left_margin, d->top = sizes->top_margin;
  d->width = sizes->width, d->height = sizes->height;
  d->pixel_aspect = sizes->pixel_aspect;
  d->flip = sizes->flip;
  d->colors = data->idata.colors;
  memcpy(d->names, data->idata.cdesc, sizeof d->names);
  describe_filter(file, d);

  d->black = color->black;
  d->pattern_rows = color->cblack[4], d->pattern_columns = color->cblack[5];
  if ((uint64_t)d->pattern_rows * d->pattern_columns > LIBRAW_CBLACK_SIZE - 7) d->pattern_rows = d->pattern_columns = 0;
  d->pattern = color->cblack + 6;
  d->maximum = color->maximum;
  d->bits = color->raw_bps;
  for (int c = 0; c < 4; c++) {
    d->channel_black[c] = color->cblack[c];
    d->masked_count[c] = color->black_stat[4 + c];
    d->masked_mean[c] = color->black_stat[4 + c] ? (double)color->black_stat[c] / color->black_stat[4 + c] : 0;
    d->linear_maximum[c] = color->linear_max[c];
    d->white_balance[c] = color->cam_mul[c];
    for (int i = 0; i < 3; i++) d->camera_from_xyz[c][i] = color->cam_xyz[c][i];
  }
  describe_samples(data, d);
  d->errors = file->errors;
}
