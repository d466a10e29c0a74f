#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// RAW files through LibRaw, which opens and unpacks them and does nothing else. LibRaw is loaded when the first file is
// opened, under the name that it was built against, so that whoever links this runs on hosts without it, too.

#define RAW_MESSAGE_SIZE 256

/// What came of a call. All but the first leave a line of text for those who look for the cause.
typedef enum {
  RAW_SUCCESS,
  /// There is no LibRaw, or one of another version.
  RAW_NO_LIBRARY,
  /// LibRaw does not know the file.
  RAW_UNKNOWN,
  /// The file ends too early or cannot be read.
  RAW_CUT_OFF,
  RAW_DAMAGED,
  RAW_NO_MEMORY,
} raw_status;

/// A file in LibRaw's hands. Calls for different files may run at the same time.
typedef struct raw_file raw_file;

/// How the unpacked samples lie in memory.
typedef enum {
  RAW_NO_SAMPLES,
  /// One sample a pixel, behind a colour filter array.
  RAW_MOSAIC_UINT16,
  RAW_MOSAIC_FLOAT,
  /// Three or four samples a pixel.
  RAW_COLORS_UINT16,
  RAW_COLORS_FLOAT,
} raw_layout;

/// What LibRaw knows of a frame. Before unpacking there are no samples, and black levels may still be unknown.
typedef struct {
  char make[64], model[64];
  bool is_dng, is_foveon;
  /// The sensor is turned by 45 degrees (Fujifilm Super CCD).
  bool is_rotated;
  /// The samples need more than a black level (compressed files of Phase One).
  bool is_uncorrected;
  /// The whole sensor and the part of it that is picture.
  uint32_t raw_width, raw_height, left, top, width, height;
  /// Height of a pixel divided by its width.
  double pixel_aspect;
  /// LibRaw's own code of the orientation: bit 0 mirrors left to right, bit 1 top to bottom, bit 2 the diagonal.
  int flip;
  /// How many colours there are and the letter of each.
  int colors;
  char names[5];
  /// The filter array: the colour of (x, y) of the picture, row after row.
  uint32_t filter_columns, filter_rows;
  uint8_t filter[256];
  /// The black level: a common part, one for each colour, and a pattern that begins at the picture's corner.
  uint32_t black, channel_black[4];
  uint32_t pattern_columns, pattern_rows;
  const uint32_t *pattern;
  /// How many samples the file says lie under a mask, and the means of those that LibRaw took; see LibRaw's black_stat.
  uint32_t masked_count[4];
  double masked_mean[4];
  /// The largest value a sample can have, and where linearity ends, 0 unknown.
  uint32_t maximum;
  int64_t linear_maximum[4];
  uint32_t bits;
  /// Multipliers for the light of the shot, 0 unknown; and from XYZ under D65 to camera RGB, all 0 unknown.
  float white_balance[4];
  float camera_from_xyz[4][3];
  /// The samples; rows are `row_bytes` apart. Valid until the file is closed.
  raw_layout layout;
  const void *samples;
  size_t row_bytes;
  uint32_t samples_per_pixel;
  /// How many places of the file LibRaw could not make sense of.
  uint32_t errors;
} raw_description;

/// Opens a file and finds out what it is. NULL on failure.
raw_file *raw_file_open(const char *path, raw_status *status, char message[RAW_MESSAGE_SIZE]);
/// Reads and unpacks the samples.
raw_status raw_file_unpack(raw_file *file, char message[RAW_MESSAGE_SIZE]);
/// Describes the frame as it is known now.
void raw_file_describe(raw_file *file, raw_description *description);
/// Closes the file and frees its samples; nothing for NULL.
void raw_file_close(raw_file *file);
/// The name under which LibRaw is looked for.
const char *raw_library_name(void);
