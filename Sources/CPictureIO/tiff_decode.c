#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tiffio.h>

#include "picture_io.h"

#define BAND 128

typedef struct {
  TIFF *tiff;
  const picture_sink *sink;
  char *message;
  picture_header header;
  uint32_t samples;  // stored for each pixel; the first `header.channels` of them are used
  size_t size;       // bytes of a sample
  bool inverted;     // 0 is white
} decoder;

static int on_error(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
  (void)tiff;
  (void)module;
  char *message = context;
  if (message[0] == 0) vsnprintf(message, PICTURE_MESSAGE_SIZE, format, arguments);
  return 1;
}

static int stay_silent(TIFF *tiff, void *context, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)context, (void)module, (void)format, (void)arguments;
  return 1;
}

static bool fail(const decoder *d, const char *text) {
  if (d->message[0] == 0) snprintf(d->message, PICTURE_MESSAGE_SIZE, "%s", text);
  return false;
}

static void invert(const decoder *d, uint8_t *row, uint32_t columns) {
  size_t step = d->header.channels;
  for (size_t i = 0; i < columns; i++) {
    switch (d->header.sample) {
      case PICTURE_UINT8: row[i * step] = (uint8_t)~row[i * step]; break;
      case PICTURE_UINT16: ((uint16_t *)row)[i * step] = (uint16_t)~((uint16_t *)row)[i * step]; break;
      case PICTURE_UINT32: ((uint32_t *)row)[i * step] = ~((uint32_t *)row)[i * step]; break;
      default: break;
    }
  }
}

// Copies the channels in use; `plane` is the channel that a separate plane holds, or -1 for all.
static void gather(const decoder *d, const uint8_t *from, uint8_t *to, uint32_t columns, int plane) {
  size_t size = d->size, step = size * d->header.channels;
  if (plane >= 0) {
    for (size_t i = 0; i < columns; i++) memcpy(to + i * step + (size_t)plane * size, from + i * size, size);
  } else {
    for (size_t i = 0; i < columns; i++) memcpy(to + i * step, from + i * size * d->samples, step);
  }
}

static bool deliver(const decoder *d, uint8_t *pixels, uint32_t x, uint32_t y, uint32_t columns, uint32_t rows,
                    size_t stride) {
  if (d->inverted)
    for (uint32_t row = 0; row < rows; row++) invert(d, pixels + row * stride, columns);
  if (!d->sink->rows(d->sink->context, pixels, x, y, columns, rows, stride)) return fail(d, "stopped");
  return true;
}

static bool read_scanlines(const decoder *d) {
  size_t stored = (size_t)TIFFScanlineSize64(d->tiff);
  size_t stride = (size_t)d->header.width * d->header.channels * d->size;
  if (stored < (size_t)d->header.width * d->samples * d->size) return fail(d, "its rows are too short");
  uint8_t *line = malloc(stored), *band = malloc(stride * BAND);
  bool good = line && band ? true : fail(d, "out of memory");
  for (uint32_t y = 0; good && y < d->header.height; y += BAND) {
    uint32_t rows = d->header.height - y < BAND ? d->header.height - y : BAND;
    for (uint32_t row = 0; good && row < rows; row++) {
      if (TIFFReadScanline(d->tiff, line, y + row, 0) < 0) good = fail(d, "its pixels are damaged");
      gather(d, line, band + row * stride, d->header.width, -1);
    }
    if (good) good = deliver(d, band, 0, y, d->header.width, rows, stride);
  }
  free(line);
  free(band);
  return good;
}

// Tiles, and strips of separate planes.
static bool read_blocks(const decoder *d, bool separate) {
  bool tiled = TIFFIsTiled(d->tiff);
  uint32_t width = d->header.width, height = d->header.height, columns = width, rows = height;
  if (tiled) {
    if (!TIFFGetField(d->tiff, TIFFTAG_TILEWIDTH, &columns) || !TIFFGetField(d->tiff, TIFFTAG_TILELENGTH, &rows))
      return fail(d, "its tiles have no size");
  } else {
    TIFFGetFieldDefaulted(d->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    if (rows > height) rows = height;
  }
  if (columns == 0 || rows == 0 || columns > 65536 * 16 || rows > 65536 * 16) return fail(d, "its tiles have no size");
  int planes = separate ? (int)d->header.channels : 1;
  size_t stored = (size_t)columns * (separate ? 1 : d->samples) * d->size;
  size_t stride = (size_t)columns * d->header.channels * d->size;
  tmsize_t block = tiled ? TIFFTileSize(d->tiff) : TIFFStripSize(d->tiff);
  if (block <= 0 || (size_t)block < stored * rows) return fail(d, "its tiles are too small");
  if ((size_t)block > PICTURE_MOST_MEMORY / 2 || stride > PICTURE_MOST_MEMORY / 2 / rows)
    return fail(d, "its tiles are too large; save it with smaller ones, or in strips of some rows");
  uint8_t *raw = malloc((size_t)block), *pixels = malloc(stride * rows);
  bool good = raw && pixels ? true : fail(d, "out of memory");
  for (uint32_t y = 0; good && y < height; y += rows) {
    uint32_t tall = height - y < rows ? height - y : rows;
    for (uint32_t x = 0; good && x < width; x += columns) {
      uint32_t wide = width - x < columns ? width - x : columns;
      for (int plane = 0; good && plane < planes; plane++) {
        uint16_t sample = (uint16_t)plane;
        tmsize_t got =
          tiled ? TIFFReadEncodedTile(d->tiff, TIFFComputeTile(d->tiff, x, y, 0, sample), raw, block)
                : TIFFReadEncodedStrip(d->tiff, TIFFComputeStrip(d->tiff, y, sample), raw, block);
        if (got < (tmsize_t)(stored * (tiled ? rows : tall))) good = fail(d, "its pixels are damaged");
        for (uint32_t row = 0; good && row < tall; row++)
          gather(d, raw + row * stored, pixels + row * stride, wide, separate ? plane : -1);
      }
      if (good) good = deliver(d, pixels, x, y, wide, tall, stride);
    }
  }
  free(raw);
  free(pixels);
  return good;
}

// Palettes, few bits, YCbCr and the like, through libtiff's own conversion to 8 bits.
static bool read_rgba(decoder *d) {
  char text[1024] = "";
  if (!TIFFRGBAImageOK(d->tiff, text)) return fail(d, text);
  uint32_t width = d->header.width, height = d->header.height;
  // Of two tags with one number libtiff may believe the other one than whoever looked at the size before.
  if (width > PICTURE_MOST_MEMORY / 4 / height) return fail(d, "it is too large for one of its kind; save it with 8 bits");
  uint32_t *pixels = calloc((size_t)width * height, 4);
  if (pixels == NULL) return fail(d, "out of memory");
  d->header.channels = 4;
  d->header.sample = PICTURE_UINT8;
  d->header.premultiplied = true;
  // The rows as stored: orientation is applied once, later, for all formats alike.
  TIFFSetField(d->tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  bool good = TIFFReadRGBAImageOriented(d->tiff, width, height, pixels, ORIENTATION_TOPLEFT, 1) != 0;
  if (!good) fail(d, "its pixels are damaged");
  if (good && !d->sink->begin(d->sink->context, &d->header)) good = fail(d, "stopped");
  if (good && !d->sink->rows(d->sink->context, pixels, 0, 0, width, height, (size_t)width * 4))
    good = fail(d, "stopped");
  free(pixels);
  return good;
}

static picture_sample sample_type(uint16_t bits, uint16_t format) {
  if (format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID)
    return bits == 8 ? PICTURE_UINT8 : bits == 16 ? PICTURE_UINT16 : bits == 32 ? PICTURE_UINT32 : 0;
  if (format == SAMPLEFORMAT_IEEEFP)
    return bits == 16 ? PICTURE_HALF : bits == 32 ? PICTURE_FLOAT : bits == 64 ? PICTURE_DOUBLE : 0;
  return 0;
}

static bool decode(decoder *d) {
  TIFF *tiff = d->tiff;
  uint16_t photometric = 0, bits = 1, samples = 1, format = SAMPLEFORMAT_UINT, planar = PLANARCONFIG_CONTIG;
  uint16_t compression = 1, extras = 0, *extra_types = NULL;
  if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &d->header.width) ||
      !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &d->header.height) || d->header.width == 0 || d->header.height == 0)
    return fail(d, "it has no size");
  if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric)) photometric = PHOTOMETRIC_MINISBLACK;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  if (!TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &extras, &extra_types)) extras = 0;
  uint32_t icc_size = 0;
  void *icc = NULL;
  if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &icc_size, &icc)) {
    d->header.icc = icc;
    d->header.icc_size = icc_size;
  }
  if (photometric == PHOTOMETRIC_SEPARATED) return fail(d, "it is in CMYK, for printing; export it as RGB");
  if (photometric == PHOTOMETRIC_CFA) return fail(d, "it holds a sensor's raw mosaic, not a picture");
  if (photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG && planar == PLANARCONFIG_CONTIG) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    photometric = PHOTOMETRIC_RGB;
  }
  bool grey = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
  d->header.sample = sample_type(bits, format);
  if ((!grey && photometric != PHOTOMETRIC_RGB) || d->header.sample == 0) {
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID)
      return fail(d, "its numbers are of an unusual kind; save it with 8 or 16 bits, or as float");
    return read_rgba(d);
  }
  uint32_t colours = grey ? 1 : 3;
  if (samples < colours) return fail(d, "it has too few channels");
  bool alpha = samples > colours && extras > 0 &&
               (extra_types[0] == EXTRASAMPLE_ASSOCALPHA || extra_types[0] == EXTRASAMPLE_UNASSALPHA);
  d->header.premultiplied = alpha && extra_types[0] == EXTRASAMPLE_ASSOCALPHA;
  d->header.channels = colours + (alpha ? 1 : 0);
  d->samples = samples;
  d->size = bits / 8;
  d->inverted = photometric == PHOTOMETRIC_MINISWHITE;
  if (!d->sink->begin(d->sink->context, &d->header)) return fail(d, "stopped");
  bool separate = planar == PLANARCONFIG_SEPARATE && samples > 1;
  return TIFFIsTiled(tiff) || separate ? read_blocks(d, separate) : read_scanlines(d);
}

bool picture_decode_tiff(int descriptor, const picture_sink *sink, char message[PICTURE_MESSAGE_SIZE]) {
  decoder d = {.sink = sink, .message = message};
  message[0] = 0;
  // libtiff closes what it was given; the caller's descriptor stays the caller's.
  int own = dup(descriptor);
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (own < 0 || options == NULL) {
    if (own >= 0) close(own);
    if (options != NULL) TIFFOpenOptionsFree(options);
    return fail(&d, "out of memory");
  }
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, message);
  TIFFOpenOptionsSetWarningHandlerExtR(options, stay_silent, NULL);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, PICTURE_MOST_MEMORY);
  d.tiff = TIFFFdOpenExt(own, "picture", "rm", options);
  TIFFOpenOptionsFree(options);
  if (d.tiff == NULL) {
    close(own);
    return fail(&d, "its directory is damaged");
  }
  bool good = decode(&d);
  TIFFClose(d.tiff);
  return good;
}
