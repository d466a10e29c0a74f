#include "heif_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library.h"

struct heif_picture {
  const heif_library *library;
  struct heif_context *context;
  struct heif_image_handle *handle;
  struct heif_image *image;
  uint8_t *icc;
  size_t icc_size;
  unsigned primaries, transfer;
  // What is read from.
  int descriptor;
  int64_t size, position;
};

// MARK: reading

static int64_t position(void *data) { return ((heif_picture *)data)->position; }

static int read_bytes(void *to, size_t count, void *data) {
  heif_picture *picture = data;
  size_t done = 0;
  while (done < count) {
    ssize_t got = pread(picture->descriptor, (char *)to + done, count - done, picture->position + (int64_t)done);
    if (got <= 0) return 1;
    done += (size_t)got;
  }
  picture->position += (int64_t)count;
  return 0;
}

static int seek(int64_t to, void *data) {
  heif_picture *picture = data;
  if (to < 0 || to > picture->size) return 1;
  picture->position = to;
  return 0;
}

static enum heif_reader_grow_status wait_for(int64_t size, void *data) {
  return size <= ((heif_picture *)data)->size ? heif_reader_grow_status_size_reached
                                              : heif_reader_grow_status_size_beyond_eof;
}

static const struct heif_reader reader = {
  .reader_api_version = 1,
  .get_position = position,
  .read = read_bytes,
  .seek = seek,
  .wait_for_file_size = wait_for,
};

static heif_status failure(struct heif_error error, char message[HEIF_MESSAGE_SIZE]) {
  snprintf(message, HEIF_MESSAGE_SIZE, "%s", error.message ? error.message : "it cannot be read");
  switch (error.code) {
    case heif_error_Memory_allocation_error: return HEIF_NO_MEMORY;
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature: return HEIF_NO_DECODER;
    default: return HEIF_DAMAGED;
  }
}

// MARK: opening

static void read_color(heif_picture *picture) {
  const heif_library *heif = picture->library;
  picture->primaries = 2;
  picture->transfer = 2;
  size_t size = heif->heif_image_handle_get_raw_color_profile_size(picture->handle);
  if (size > 0 && size < (1u << 24) && (picture->icc = malloc(size))) {
    if (heif->heif_image_handle_get_raw_color_profile(picture->handle, picture->icc).code == heif_error_Ok) {
      picture->icc_size = size;
    }
  }
  struct heif_color_profile_nclx *nclx = NULL;
  if (heif->heif_image_handle_get_nclx_color_profile(picture->handle, &nclx).code == heif_error_Ok && nclx) {
    picture->primaries = (unsigned)nclx->color_primaries;
    picture->transfer = (unsigned)nclx->transfer_characteristics;
    heif->heif_nclx_color_profile_free(nclx);
  }
}

heif_picture *heif_picture_open(int descriptor, heif_status *status, char message[HEIF_MESSAGE_SIZE]) {
  const heif_library *heif = heif_library_load(message);
  if (!heif) {
    *status = HEIF_NO_LIBRARY;
    return NULL;
  }
  *status = HEIF_NO_MEMORY;
  snprintf(message, HEIF_MESSAGE_SIZE, "there is not enough memory");
  heif_picture *picture = calloc(1, sizeof *picture);
  if (!picture) return NULL;
  picture->library = heif;
  picture->descriptor = descriptor;
  struct stat about;
  picture->size = fstat(descriptor, &about) == 0 ? about.st_size : 0;
  picture->context = heif->heif_context_alloc();
  if (!picture->context) goto failed;
  struct heif_error error = heif->heif_context_read_from_reader(picture->context, &reader, picture, NULL);
  if (error.code == heif_error_Ok) {
    error = heif->heif_context_get_primary_image_handle(picture->context, &picture->handle);
  }
  if (error.code != heif_error_Ok) {
    *status = failure(error, message);
    goto failed;
  }
  read_color(picture);
  *status = HEIF_SUCCESS;
  return picture;
failed:
  heif_picture_close(picture);
  return NULL;
}

void heif_picture_close(heif_picture *picture) {
  if (!picture) return;
  const heif_library *heif = picture->library;
  if (picture->image) heif->heif_image_release(picture->image);
  if (picture->handle) heif->heif_image_handle_release(picture->handle);
  if (picture->context) heif->heif_context_free(picture->context);
  free(picture->icc);
  free(picture);
}

void heif_picture_describe(const heif_picture *picture, heif_description *description) {
  const heif_library *heif = picture->library;
  int width = heif->heif_image_handle_get_width(picture->handle);
  int height = heif->heif_image_handle_get_height(picture->handle);
  int bits = heif->heif_image_handle_get_luma_bits_per_pixel(picture->handle);
  *description = (heif_description){
    .width = width > 0 ? (uint32_t)width : 0,
    .height = height > 0 ? (uint32_t)height : 0,
    .bits = bits > 0 ? (uint32_t)bits : 8,
    .has_alpha = heif->heif_image_handle_has_alpha_channel(picture->handle) != 0,
    .is_premultiplied = heif->heif_image_handle_is_premultiplied_alpha(picture->handle) != 0,
    .icc = picture->icc_size ? picture->icc : NULL,
    .icc_size = picture->icc_size,
    .primaries = picture->primaries,
    .transfer = picture->transfer,
  };
}

uint8_t *heif_picture_exif(const heif_picture *picture, size_t *size) {
  const heif_library *heif = picture->library;
  heif_item_id id;
  if (heif->heif_image_handle_get_list_of_metadata_block_IDs(picture->handle, "Exif", &id, 1) < 1) return NULL;
  size_t count = heif->heif_image_handle_get_metadata_size(picture->handle, id);
  if (count < 4 || count > (1u << 26)) return NULL;
  uint8_t *block = malloc(count);
  if (!block) return NULL;
  if (heif->heif_image_handle_get_metadata(picture->handle, id, block).code == heif_error_Ok) {
    // ISO/IEC 23008-12, A.2.1: where the TIFF header begins, behind these four bytes.
    size_t start = 4 + ((size_t)block[0] << 24 | (size_t)block[1] << 16 | (size_t)block[2] << 8 | block[3]);
    if (start < count) {
      *size = count - start;
      memmove(block, block + start, *size);
      return block;
    }
  }
  free(block);
  return NULL;
}

// MARK: decoding

/// Spreads samples of fewer bits over all of 16.
static void widen(uint8_t *rows, int stride, int height, size_t samples, int bits) {
  const uint32_t most = (1u << bits) - 1;
  for (int y = 0; y < height; y++) {
    uint16_t *row = (uint16_t *)(void *)(rows + (size_t)y * (size_t)stride);
    for (size_t x = 0; x < samples; x++) {
      uint32_t value = row[x] < most ? row[x] : most;
      row[x] = (uint16_t)((value * 65535u + most / 2) / most);
    }
  }
}

heif_status heif_picture_decode(
  heif_picture *picture, const void **samples, size_t *stride, char message[HEIF_MESSAGE_SIZE]) {
  const heif_library *heif = picture->library;
  heif_description about;
  heif_picture_describe(picture, &about);
  bool is_deep = about.bits > 8;
  enum heif_chroma chroma = is_deep
    ? (about.has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
    : (about.has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
  struct heif_error error =
    heif->heif_decode_image(picture->handle, &picture->image, heif_colorspace_RGB, chroma, NULL);
  if (error.code != heif_error_Ok) return failure(error, message);
  int width = heif->heif_image_get_width(picture->image, heif_channel_interleaved);
  int height = heif->heif_image_get_height(picture->image, heif_channel_interleaved);
  int bits = heif->heif_image_get_bits_per_pixel_range(picture->image, heif_channel_interleaved);
  int bytes = 0;
  uint8_t *rows = heif->heif_image_get_plane(picture->image, heif_channel_interleaved, &bytes);
  size_t count = (size_t)about.width * (about.has_alpha ? 4 : 3);
  if (!rows || width < 0 || height < 0 || (uint32_t)width != about.width || (uint32_t)height != about.height ||
      bytes < 0 || (size_t)bytes < count * (is_deep ? 2 : 1) || (is_deep && (bits < 9 || bits > 16))) {
    snprintf(message, HEIF_MESSAGE_SIZE, "it has two different sizes");
    return HEIF_DAMAGED;
  }
  if (is_deep && bits < 16) widen(rows, bytes, height, count, bits);
  *samples = rows;
  *stride = (size_t)bytes;
  return HEIF_SUCCESS;
}
