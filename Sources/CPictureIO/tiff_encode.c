#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <tiffio.h>

#include "picture_io.h"

// Large enough for few strips, small enough for readers that hold one at a time.
#define STRIP 262144

typedef struct {
  const picture_job *job;
  uint64_t offset, end;
  bool stopped;
} stream;

static tmsize_t read_nothing(thandle_t handle, void *bytes, tmsize_t count) {
  (void)handle, (void)bytes, (void)count;
  return -1;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t count) {
  stream *to = handle;
  // libtiff writes what it has even when it is closed after an error.
  if (to->stopped || !to->job->write(to->job->context, bytes, (size_t)count, to->offset)) {
    to->stopped = true;
    return -1;
  }
  to->offset += (uint64_t)count;
  if (to->end < to->offset) to->end = to->offset;
  return count;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  stream *to = handle;
  to->offset = offset + (whence == SEEK_CUR ? to->offset : whence == SEEK_END ? to->end : 0);
  return to->offset;
}

static toff_t size(thandle_t handle) { return ((stream *)handle)->end; }

static int close_nothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static int on_error(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)module;
  char *message = context;
  if (message[0] == 0) vsnprintf(message, PICTURE_MESSAGE_SIZE, format, arguments);
  return 1;
}

static int stay_silent(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)context, (void)module, (void)format, (void)arguments;
  return 1;
}

// Exposure and place, byte for byte: libtiff would turn 1/60 into a float, and that into 8947849/536870912.
static bool write_directories(TIFF *tiff, stream *to) {
  const picture_job *job = to->job;
  if (job->directories == NULL) return true;
  to->offset = to->end;
  if (to->end != (job->big ? 16 : 8)) return false;
  if (write_bytes(to, (void *)job->directories, (tmsize_t)job->directories_size) < 0) return false;
  if (job->exposure_directory != 0) TIFFSetField(tiff, TIFFTAG_EXIFIFD, job->exposure_directory);
  if (job->place_directory != 0) TIFFSetField(tiff, TIFFTAG_GPSIFD, job->place_directory);
  return true;
}

// What EXIF says of the picture as a whole; how it is stored is not EXIF's to say.
static void set_tag(TIFF *tiff, const picture_tag *tag, const uint8_t *bytes) {
  char text[4096];
  uint32_t parts[2];
  switch (tag->number) {
    case TIFFTAG_IMAGEDESCRIPTION: case TIFFTAG_MAKE: case TIFFTAG_MODEL: case TIFFTAG_SOFTWARE:
    case TIFFTAG_DATETIME: case TIFFTAG_ARTIST: case TIFFTAG_COPYRIGHT:
      if (tag->type != TIFF_ASCII || tag->size >= sizeof text) return;
      memcpy(text, bytes, tag->size);
      text[tag->size] = 0;
      TIFFSetField(tiff, tag->number, text);
      break;
    case TIFFTAG_ORIENTATION: case TIFFTAG_RESOLUTIONUNIT:
      if (tag->type == TIFF_SHORT && tag->count == 1) TIFFSetField(tiff, tag->number, bytes[0] | bytes[1] << 8);
      break;
    case TIFFTAG_XRESOLUTION: case TIFFTAG_YRESOLUTION:
      if (tag->type != TIFF_RATIONAL || tag->count != 1) return;
      memcpy(parts, bytes, sizeof parts);
      if (parts[1] != 0) TIFFSetField(tiff, tag->number, (double)parts[0] / parts[1]);
      break;
    default:
      break;
  }
}

static void describe(TIFF *tiff, const picture_job *job, size_t stride) {
  int bits = job->sample == PICTURE_FLOAT ? 32 : job->sample == PICTURE_UINT16 ? 16 : 8;
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  for (const picture_tag *tag = job->tags; tag < job->tags + job->tag_count; tag++)
    if (tag->directory == PICTURE_IMAGE_TAG) set_tag(tiff, tag, job->tag_values + tag->offset);
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, job->width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, job->height);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, (int)job->channels);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, job->sample == PICTURE_FLOAT ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, job->channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  // Any program reads it and nothing is faster: of 12 megapixels of a photograph at 16 bit, deflate would save 15 % in
  // 3.4 s, and LZW nothing at all. Those who want small files choose PNG.
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, stride < STRIP ? (uint32_t)(STRIP / stride) : 1);
  if (job->icc != NULL) TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)job->icc_size, job->icc);
}

static bool encode(TIFF *tiff, stream *to, size_t stride) {
  const picture_job *job = to->job;
  describe(tiff, job, stride);
  if (!write_directories(tiff, to)) return false;
  uint32_t rows = 0;
  for (uint32_t y = 0; y < job->height; y += rows) {
    const uint8_t *band = job->next(job->context, &rows);
    if (band == NULL) return false;
    for (uint32_t row = 0; row < rows; row++)
      if (TIFFWriteScanline(tiff, (void *)(band + row * stride), y + row, 0) < 0) return false;
  }
  return TIFFWriteDirectory(tiff) != 0;
}

bool picture_encode_tiff(const picture_job *job, char message[PICTURE_MESSAGE_SIZE]) {
  stream to = {.job = job};
  size_t sample = job->sample == PICTURE_FLOAT ? 4 : job->sample == PICTURE_UINT16 ? 2 : 1;
  size_t stride = (size_t)job->width * job->channels * sample;
  message[0] = 0;
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  TIFF *tiff = NULL;
  if (options != NULL) {
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, message);
    TIFFOpenOptionsSetWarningHandlerExtR(options, stay_silent, NULL);
    tiff = TIFFClientOpenExt(
      "picture", job->big ? "w8" : "w", &to, read_nothing, write_bytes, seek, close_nothing, size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
  }
  bool good = tiff != NULL && encode(tiff, &to, stride);
  if (!good) {
    to.stopped = true;
    if (message[0] == 0) snprintf(message, PICTURE_MESSAGE_SIZE, "%s", tiff ? "stopped" : "out of memory");
  }
  if (tiff != NULL) TIFFClose(tiff);
  return good && !to.stopped;
}
