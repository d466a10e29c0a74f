#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whole calls into libpng, libjpeg and libtiff. Their errors (long jumps in two of them) end here:
// every function returns true, or false with one line of text in `message`, and prints nothing.

#define PICTURE_MESSAGE_SIZE 256

/// How the samples of a decoded picture are stored, in the machine's byte order.
typedef enum {
  PICTURE_UINT8 = 1,
  PICTURE_UINT16 = 2,
  PICTURE_UINT32 = 3,
  PICTURE_HALF = 4,
  PICTURE_FLOAT = 5,
  PICTURE_DOUBLE = 6
} picture_sample;

/// What a decoder knows before the first row. Channels: 1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha.
typedef struct {
  uint32_t width, height;
  uint32_t channels;
  picture_sample sample;
  bool premultiplied;
  /// The embedded ICC profile, or NULL; valid during the call.
  const uint8_t *icc;
  size_t icc_size;
  /// The exponent of a PNG's gAMA chunk (0.45455 for most), or 0.
  double gamma;
  /// A PNG's cHRM chunk: white, red, green, blue as x, y; all 0 without.
  double chromaticities[8];
} picture_header;

/// Where decoded rows go. Either function returns false to stop.
typedef struct {
  void *context;
  bool (*begin)(void *context, const picture_header *header);
  /// Rows `y` to `y + rows`, `x` to `x + columns`, each `stride` bytes from the one above.
  bool (*rows)(
    void *context, const void *samples, uint32_t x, uint32_t y, uint32_t columns, uint32_t rows, size_t stride);
} picture_sink;

bool picture_decode_png(int descriptor, const picture_sink *sink, char message[PICTURE_MESSAGE_SIZE]);
bool picture_decode_jpeg(int descriptor, const picture_sink *sink, char message[PICTURE_MESSAGE_SIZE]);
bool picture_decode_tiff(int descriptor, const picture_sink *sink, char message[PICTURE_MESSAGE_SIZE]);

/// What the JPEG encoder writes and where it gets it from.
typedef struct {
  uint32_t width, height, channels;
  int quality;
  const uint8_t *icc;
  size_t icc_size;
  /// The APP1 payload with its "Exif\0\0", or NULL.
  const uint8_t *exif;
  size_t exif_size;
  void *context;
  /// Fills `rows` rows from `y` on; false stops.
  bool (*fill)(void *context, uint32_t y, uint32_t rows, uint8_t *samples);
  /// Takes encoded bytes; false stops.
  bool (*write)(void *context, const uint8_t *bytes, size_t count);
} picture_jpeg_job;

/// Baseline JPEG, 8 bit, no chroma subsampling.
bool picture_encode_jpeg(const picture_jpeg_job *job, char message[PICTURE_MESSAGE_SIZE]);

/// An unnamed file in a folder, open for reading and writing: it vanishes when closed unless linked. -1 with errno if
/// the file system has none.
int picture_open_unnamed(const char *folder);
/// Gives an unnamed file a name; 0, or -1 with errno.
int picture_link_unnamed(int descriptor, const char *path);
