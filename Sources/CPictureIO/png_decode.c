#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <png.h>

#include "picture_io.h"

#define BAND 128

typedef struct {
  int descriptor;
  char *message;
} context;

static void on_error(png_structp png, png_const_charp text) {
  context *from = png_get_error_ptr(png);
  snprintf(from->message, PICTURE_MESSAGE_SIZE, "%s", text);
  png_longjmp(png, 1);
}

static void stay_silent(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
  context *from = png_get_io_ptr(png);
  while (count > 0) {
    ssize_t done = read(from->descriptor, bytes, count);
    if (done <= 0) png_error(png, "the file ends before the picture does");
    bytes += done;
    count -= (size_t)done;
  }
}

bool picture_decode_png(int descriptor, const picture_sink *sink, char message[PICTURE_MESSAGE_SIZE]) {
  context from = {descriptor, message};
  message[0] = 0;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &from, on_error, stay_silent);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  uint8_t *volatile pixels = NULL;
  if (png == NULL || info == NULL || setjmp(png_jmpbuf(png))) {
    if (message[0] == 0) snprintf(message, PICTURE_MESSAGE_SIZE, "out of memory");
    png_destroy_read_struct(&png, &info, NULL);
    free(pixels);
    return false;
  }
  png_set_read_fn(png, &from, read_bytes);
  png_set_user_limits(png, 1000000, 1000000);
  // The common but slightly wrong sRGB profiles of old programs are profiles all the same.
  png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
  png_read_info(png, info);

  if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (png_get_bit_depth(png, info) < 8) png_set_expand_gray_1_2_4_to_8(png);
  if (png_get_valid(png, info, PNG_INFO_tRNS)) png_set_tRNS_to_alpha(png);
  if (png_get_bit_depth(png, info) == 16) png_set_swap(png);
  int passes = png_set_interlace_handling(png);

  picture_header header = {.width = png_get_image_width(png, info), .height = png_get_image_height(png, info)};
  png_charp name;
  png_bytep profile;
  png_uint_32 profile_size;
  int compression;
  if (png_get_iCCP(png, info, &name, &compression, &profile, &profile_size)) {
    header.icc = profile;
    header.icc_size = profile_size;
  } else if (!png_get_valid(png, info, PNG_INFO_sRGB) && png_get_gAMA(png, info, &header.gamma)) {
    double *c = header.chromaticities;
    png_get_cHRM(png, info, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]);
  }
  png_read_update_info(png, info);
  header.channels = png_get_channels(png, info);
  header.sample = png_get_bit_depth(png, info) == 16 ? PICTURE_UINT16 : PICTURE_UINT8;
  size_t stride = png_get_rowbytes(png, info);
  uint32_t band = passes > 1 ? header.height : BAND;
  if (stride > PICTURE_MOST_MEMORY / band) png_error(png, "it is too large for an interlaced one; save it without that");
  if (!sink->begin(sink->context, &header)) png_error(png, "stopped");

  // Interlaced pictures need all rows at once; zeroed, so that no stale memory can become picture.
  pixels = calloc(band, stride);
  if (pixels == NULL) png_error(png, "out of memory");
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t y = 0; y < header.height; y += band) {
      uint32_t rows = header.height - y < band ? header.height - y : band;
      for (uint32_t row = 0; row < rows; row++) png_read_row(png, pixels + row * stride, NULL);
      if (pass == passes - 1 && !sink->rows(sink->context, pixels, 0, y, header.width, rows, stride))
        png_error(png, "stopped");
    }
  }
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  free(pixels);
  return true;
}
