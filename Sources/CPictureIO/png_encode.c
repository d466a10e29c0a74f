#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <isa-l/igzip_lib.h>
#include <png.h>

#include "picture_io.h"

// The data of a chunk of pixels.
#define BUFFER 262144

// Pixels are compressed by ISA-L, not by the library that libpng uses: for 12 megapixels of a photograph at 16 bit it takes a fifth
// of the time, and the file has the same size.
typedef struct {
  struct isal_zstream stream;
  uint8_t level[ISAL_DEF_LVL1_DEFAULT];
  uint8_t packed[BUFFER];
} compressor;

typedef struct {
  const picture_job *job;
  uint64_t offset;
  char *message;
  compressor *compressor;
  // A row as it is stored, and the same filtered, behind the filter's number.
  uint8_t *row, *filtered;
} context;

static void on_error(png_structp png, png_const_charp text) {
  context *to = png_get_error_ptr(png);
  snprintf(to->message, PICTURE_MESSAGE_SIZE, "%s", text);
  png_longjmp(png, 1);
}

static void stay_silent(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  context *to = png_get_io_ptr(png);
  if (!to->job->write(to->job->context, bytes, count, to->offset)) png_error(png, "stopped");
  to->offset += count;
}

static void flush_nothing(png_structp png) { (void)png; }

// Compresses some bytes; full chunks are written on the way.
static void pack(png_structp png, context *to, uint8_t *bytes, size_t count, bool is_last) {
  struct isal_zstream *stream = &to->compressor->stream;
  stream->next_in = bytes;
  stream->avail_in = (uint32_t)count;
  stream->end_of_stream = is_last;
  for (;;) {
    if (isal_deflate(stream) != COMP_OK) png_error(png, "its pixels cannot be compressed");
    bool is_done = is_last && stream->internal_state.state == ZSTATE_END;
    if (stream->avail_out > 0 && !is_done) return;
    static const png_byte name[5] = "IDAT";
    png_write_chunk(png, name, to->compressor->packed, BUFFER - stream->avail_out);
    stream->next_out = to->compressor->packed;
    stream->avail_out = BUFFER;
    if (is_done) return;
  }
}

// Each byte less the one of the pixel on the left: of what smooth filters predict little is left but noise. Predicting by Paeth's rule
// takes 0.3 s more for 12 megapixels; it gains 4 % where a picture is smoother than sensors make them, else nothing.
static void filter(const uint8_t *row, uint8_t *filtered, size_t count, size_t pixel) {
  filtered[0] = 1;
  memcpy(filtered + 1, row, pixel < count ? pixel : count);
  for (size_t i = pixel; i < count; i++) filtered[i + 1] = (uint8_t)(row[i] - row[i - pixel]);
}

// Sixteen bits are stored with the high byte first.
static void swap(const uint8_t *samples, uint8_t *row, size_t count) {
  for (size_t i = 0; i + 1 < count; i += 2) {
    uint16_t sample;
    memcpy(&sample, samples + i, 2);
    row[i] = (uint8_t)(sample >> 8);
    row[i + 1] = (uint8_t)sample;
  }
}

static void write_rows(png_structp png, context *to) {
  const picture_job *job = to->job;
  size_t pixel = job->channels * (job->sample == PICTURE_UINT16 ? 2 : 1);
  size_t stride = job->width * pixel;
  uint32_t rows = 0;
  for (uint32_t y = 0; y < job->height; y += rows) {
    const uint8_t *band = job->next(job->context, &rows);
    if (band == NULL) png_error(png, "stopped");
    for (uint32_t row = 0; row < rows; row++) {
      const uint8_t *samples = band + row * stride;
      if (job->sample == PICTURE_UINT16) {
        swap(samples, to->row, stride);
        samples = to->row;
      }
      filter(samples, to->filtered, stride, pixel);
      pack(png, to, to->filtered, stride + 1, y + row + 1 == job->height);
    }
  }
}

static bool begin(context *to) {
  const picture_job *job = to->job;
  size_t stride = (size_t)job->width * job->channels * (job->sample == PICTURE_UINT16 ? 2 : 1);
  if (stride >= UINT32_MAX) return false;
  to->compressor = malloc(sizeof(compressor));
  to->row = malloc(stride);
  to->filtered = malloc(stride + 1);
  if (to->compressor == NULL || to->row == NULL || to->filtered == NULL) return false;
  struct isal_zstream *stream = &to->compressor->stream;
  isal_deflate_init(stream);
  stream->level = 1;
  stream->level_buf = to->compressor->level;
  stream->level_buf_size = sizeof to->compressor->level;
  stream->gzip_flag = IGZIP_ZLIB;
  stream->next_out = to->compressor->packed;
  stream->avail_out = BUFFER;
  return true;
}

static void end(context *to) {
  free(to->compressor);
  free(to->row);
  free(to->filtered);
}

static void describe(png_structp png, png_infop info, const picture_job *job) {
  int depth = job->sample == PICTURE_UINT16 ? 16 : 8;
  int type = job->channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
  png_set_IHDR(
    png, info, job->width, job->height, depth, type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
    PNG_FILTER_TYPE_BASE);
  if (job->icc != NULL) {
    png_set_iCCP(png, info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, job->icc, (png_uint_32)job->icc_size);
    // libpng leaves out a profile that it takes for damaged, with no more than a warning.
    if (!png_get_valid(png, info, PNG_INFO_iCCP)) png_error(png, "its ICC profile is damaged");
  }
  if (job->exif != NULL) png_set_eXIf_1(png, info, (png_uint_32)job->exif_size, (png_bytep)job->exif);
}

bool picture_encode_png(const picture_job *job, char message[PICTURE_MESSAGE_SIZE]) {
  context to = {job, 0, message, NULL, NULL, NULL};
  message[0] = 0;
  bool is_ready = begin(&to);
  png_structp png = is_ready ? png_create_write_struct(PNG_LIBPNG_VER_STRING, &to, on_error, stay_silent) : NULL;
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (png == NULL || info == NULL || setjmp(png_jmpbuf(png))) {
    if (message[0] == 0) snprintf(message, PICTURE_MESSAGE_SIZE, "out of memory");
    png_destroy_write_struct(&png, &info);
    end(&to);
    return false;
  }
  png_set_write_fn(png, &to, write_bytes, flush_nothing);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  describe(png, info, job);
  png_write_info(png, info);
  write_rows(png, &to);
  static const png_byte last[5] = "IEND";
  png_write_chunk(png, last, NULL, 0);
  png_destroy_write_struct(&png, &info);
  end(&to);
  return true;
}
