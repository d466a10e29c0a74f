#pragma once
#include <libheif/heif.h>

#include "heif_picture.h"

/// The functions of libheif that are used, each with its own type.
#define HEIF_FUNCTIONS(use) \
  use(heif_context_alloc) use(heif_context_free) use(heif_context_read_from_reader) \
  use(heif_context_get_primary_image_handle) use(heif_image_handle_release) use(heif_image_handle_get_width) \
  use(heif_image_handle_get_height) use(heif_image_handle_get_luma_bits_per_pixel) \
  use(heif_image_handle_has_alpha_channel) use(heif_image_handle_is_premultiplied_alpha) \
  use(heif_image_handle_get_raw_color_profile_size) use(heif_image_handle_get_raw_color_profile) \
  use(heif_image_handle_get_nclx_color_profile) use(heif_nclx_color_profile_free) \
  use(heif_image_handle_get_number_of_metadata_blocks) use(heif_image_handle_get_list_of_metadata_block_IDs) \
  use(heif_image_handle_get_metadata_size) use(heif_image_handle_get_metadata) use(heif_decode_image) \
  use(heif_image_get_width) use(heif_image_get_height) use(heif_image_get_bits_per_pixel_range) \
  use(heif_image_get_plane) use(heif_image_release)

#define HEIF_MEMBER(name) __typeof__(&name) name;
typedef struct {
  HEIF_FUNCTIONS(HEIF_MEMBER)
} heif_library;

/// libheif, loaded at the first call; NULL with one line of text where there is none that fits.
const heif_library *heif_library_load(char message[HEIF_MESSAGE_SIZE]);
