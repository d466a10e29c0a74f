#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// HEIF and AVIF pictures through libheif, which is loaded when the first file is opened, so that whoever links this runs on
// machines without it, too.

#define HEIF_MESSAGE_SIZE 256

/// What came of a call. All but the first leave a line of text.
typedef enum {
  HEIF_SUCCESS,
  /// There is no libheif.
  HEIF_NO_LIBRARY,
  /// libheif has no decoder for the picture's compression.
  HEIF_NO_DECODER,
  HEIF_DAMAGED,
  HEIF_NO_MEMORY,
} heif_status;

/// The main picture of a file. Calls for different files may run at the same time.
typedef struct heif_picture heif_picture;

typedef struct {
  /// The size after the file's own turns, mirrors and crops.
  uint32_t width, height;
  /// Of a sample, as stored.
  uint32_t bits;
  bool has_alpha, is_premultiplied;
  /// The ICC profile, or NULL; as long as the picture.
  const uint8_t *icc;
  size_t icc_size;
  /// Primaries and transfer function by ISO/IEC 23091-2 (H.273); 2, unspecified, where the file has none.
  unsigned primaries, transfer;
} heif_description;

/// Opens the picture of a file that can be read at any place; NULL with a status and a line of text otherwise.
heif_picture *heif_picture_open(int descriptor, heif_status *status, char message[HEIF_MESSAGE_SIZE]);
void heif_picture_close(heif_picture *picture);
void heif_picture_describe(const heif_picture *picture, heif_description *description);

/// The EXIF block from its byte order mark on, or NULL; to be freed.
uint8_t *heif_picture_exif(const heif_picture *picture, size_t *size);

/// Decodes: red, green, blue and, where there is, alpha, 8 bit, or 16 bit for pictures of more than 8, all of their range. The
/// samples live as long as the picture, rows are `stride` bytes apart. To be called once.
heif_status heif_picture_decode(
  heif_picture *picture, const void **samples, size_t *stride, char message[HEIF_MESSAGE_SIZE]);

/// The name that the library is loaded by.
const char *heif_library_name(void);
