#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whole calls into libpng, libjpeg, libtiff, OpenEXR and zlib. Their errors (long jumps in two of them) end here:
// every function returns true, or false with one line of text in `message`, and prints nothing.

#define PICTURE_MESSAGE_SIZE 256

/// What a decoder may hold at once, in bytes: a small file can ask for any amount. Enough for 300 megapixels of the kinds that
/// have to be held whole, such as interlaced PNG.
#define PICTURE_MOST_MEMORY ((size_t)1 << 31)

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

/// Where EXIF keeps a tag.
typedef enum { PICTURE_IMAGE_TAG, PICTURE_EXPOSURE_TAG, PICTURE_PLACE_TAG } picture_directory;

/// A tag of EXIF: `count` values of a TIFF type, little-endian, in `size` bytes from `offset` of the job's values on.
typedef struct {
  picture_directory directory;
  uint16_t number, type;
  uint32_t count;
  size_t offset, size;
} picture_tag;

/// What an encoder writes, where it gets the rows from and where the bytes go.
typedef struct {
  uint32_t width, height;
  /// 1 grey, 3 RGB.
  uint32_t channels;
  picture_sample sample;
  /// For JPEG: 1 to 100; 0 for the usual 95.
  int quality;
  /// The ICC profile, or NULL.
  const uint8_t *icc;
  size_t icc_size;
  /// The EXIF block from its byte order mark on, or NULL; and the same tag by tag.
  const uint8_t *exif;
  size_t exif_size;
  const picture_tag *tags;
  size_t tag_count;
  const uint8_t *tag_values;
  /// For TIFF: whether it is BigTIFF; the directories of exposure and place as they stand right behind the file's
  /// header, and where in the file each begins, 0 for none.
  bool big;
  const uint8_t *directories;
  size_t directories_size;
  uint64_t exposure_directory, place_directory;
  /// Red, green, blue, white as x, y; or NULL.
  const float *chromaticities;
  void *context;
  /// The next rows, valid until the next call: a multiple of 32 of them, or all that are left. NULL stops.
  const uint8_t *(*next)(void *context, uint32_t *rows);
  /// Takes bytes of the file from `offset` on; false stops.
  bool (*write)(void *context, const void *bytes, size_t count, uint64_t offset);
  /// Calls `body` for each index below `count`, possibly at the same time.
  void (*parallel)(void *context, size_t count, void (*body)(void *argument, size_t index), void *argument);
} picture_job;

/// PNG, 8 or 16 bit.
bool picture_encode_png(const picture_job *job, char message[PICTURE_MESSAGE_SIZE]);
/// TIFF, 8 or 16 bit or float, uncompressed.
bool picture_encode_tiff(const picture_job *job, char message[PICTURE_MESSAGE_SIZE]);
/// Baseline JPEG, 8 bit, no chroma subsampling.
bool picture_encode_jpeg(const picture_job *job, char message[PICTURE_MESSAGE_SIZE]);
/// OpenEXR, float, ZIP.
bool picture_encode_openexr(const picture_job *job, char message[PICTURE_MESSAGE_SIZE]);

/// An unnamed file in a folder, open for reading and writing: it vanishes when closed unless linked. -1 with errno if
/// the file system has none.
int picture_open_unnamed(const char *folder);
/// Gives an unnamed file a name; 0, or -1 with errno.
int picture_link_unnamed(int descriptor, const char *path);

/// From here on a file that another program makes shorter while a library has it mapped does not end the process, where that
/// library is called between the next two functions: what is gone reads as zeros. To be called once, by the program; a library
/// leaves the signals of its host alone.
void picture_survive_shrinking_files(void);
/// This thread calls a library that maps files.
void picture_mapping_begins(void);
/// It has come back; false where a file became shorter meanwhile, so that what was read of it is worth nothing.
bool picture_mapping_ends(void);

/// Unpacks a raw DEFLATE stream (RFC 1951); false unless it is whole and gives exactly `to_size` bytes.
bool picture_inflate(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size);
/// Packs bytes as a raw DEFLATE stream and returns its size; 0 where they need more than `to_size`, or 4 GB or more.
size_t picture_deflate(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size);
/// The checksum of ZIP and PNG.
uint32_t picture_crc32(const uint8_t *bytes, size_t size);
