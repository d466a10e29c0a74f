#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>
#include <jerror.h>

#include "picture_io.h"

#define BAND 128
#define BUFFER 65536
// More scans than any camera writes: a small file could otherwise ask for hours of work.
#define MAXIMUM_SCANS 500

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf jump;
  char *message;
} error_manager;

typedef struct {
  struct jpeg_source_mgr base;
  int descriptor;
  bool ended;
  uint8_t buffer[BUFFER];
} source;

static void fail(j_common_ptr info, const char *text) {
  error_manager *errors = (error_manager *)info->err;
  snprintf(errors->message, PICTURE_MESSAGE_SIZE, "%s", text);
  longjmp(errors->jump, 1);
}

static void error_exit(j_common_ptr info) {
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  fail(info, text);
}

static void stay_silent(j_common_ptr info) { (void)info; }

// libjpeg fills damaged places with grey and goes on; a measurement must not.
static void on_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
      // Bytes before the end marker harm nothing; before another marker, data was lost.
      if (info->err->msg_parm.i[1] == 0xD9) return;
      break;
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_JPEG_EOF:
    case JWRN_MUST_RESYNC:
    case JWRN_ARITH_BAD_CODE:
      break;
    default:
      return;
  }
  error_exit(info);
}

static void start_source(j_decompress_ptr info) { (void)info; }

static boolean fill_source(j_decompress_ptr info) {
  source *from = (source *)info->src;
  ssize_t count = from->ended ? 0 : read(from->descriptor, from->buffer, BUFFER);
  if (count <= 0) {
    if (from->ended) fail((j_common_ptr)info, "the file ends before the picture does");
    from->ended = true;
    from->buffer[0] = 0xFF;
    from->buffer[1] = JPEG_EOI;
    count = 2;
  }
  from->base.next_input_byte = from->buffer;
  from->base.bytes_in_buffer = (size_t)count;
  return TRUE;
}

static void skip_source(j_decompress_ptr info, long count) {
  source *from = (source *)info->src;
  while (count > 0 && (size_t)count > from->base.bytes_in_buffer) {
    count -= (long)from->base.bytes_in_buffer;
    fill_source(info);
  }
  if (count > 0) {
    from->base.next_input_byte += count;
    from->base.bytes_in_buffer -= (size_t)count;
  }
}

static void end_source(j_decompress_ptr info) { (void)info; }

static void watch_scans(j_common_ptr info) {
  if (info->is_decompressor && ((j_decompress_ptr)info)->input_scan_number > MAXIMUM_SCANS)
    fail(info, "it has too many scans");
}

// The coefficients of several scans are all held until the last one has been read.
static size_t coefficient_bytes(j_decompress_ptr info) {
  size_t blocks = 0;
  for (int i = 0; jpeg_has_multiple_scans(info) && i < info->num_components; i++)
    blocks += (size_t)info->comp_info[i].width_in_blocks * info->comp_info[i].height_in_blocks;
  return blocks * sizeof(JBLOCK);
}

bool picture_decode_jpeg(int descriptor, const picture_sink *sink, char message[PICTURE_MESSAGE_SIZE]) {
  struct jpeg_decompress_struct info;
  struct jpeg_progress_mgr progress;
  error_manager errors;
  source *volatile from = calloc(1, sizeof(source));
  uint8_t *volatile band = NULL;
  JOCTET *volatile icc = NULL;
  memset(&info, 0, sizeof info);
  memset(&progress, 0, sizeof progress);
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = error_exit;
  errors.base.output_message = stay_silent;
  errors.base.emit_message = on_message;
  errors.message = message;
  message[0] = 0;
  if (setjmp(errors.jump) || from == NULL) {
    if (message[0] == 0) snprintf(message, PICTURE_MESSAGE_SIZE, "out of memory");
    jpeg_destroy_decompress(&info);
    free(from);
    free(band);
    free(icc);
    return false;
  }
  jpeg_create_decompress(&info);
  from->descriptor = descriptor;
  from->base.init_source = start_source;
  from->base.fill_input_buffer = fill_source;
  from->base.skip_input_data = skip_source;
  from->base.resync_to_restart = jpeg_resync_to_restart;
  from->base.term_source = end_source;
  info.src = &from->base;
  progress.progress_monitor = watch_scans;
  info.progress = &progress;
  jpeg_save_markers(&info, JPEG_APP0 + 2, 0xFFFF);
  jpeg_read_header(&info, TRUE);
  if (info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK)
    fail((j_common_ptr)&info, "it is in CMYK, for printing; export it as RGB");
  if (info.num_components != 1 && info.num_components != 3)
    fail((j_common_ptr)&info, "it has an unusual number of channels; export it as RGB");
  if (coefficient_bytes(&info) > PICTURE_MOST_MEMORY)
    fail((j_common_ptr)&info, "it is too large for one of several scans; save it as baseline JPEG");
  info.out_color_space = info.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  // The transform of GEGL's own loader, so that every host sees the same numbers.
  info.dct_method = JDCT_FLOAT;

  JOCTET *profile = NULL;
  unsigned profile_size = 0;
  if (jpeg_read_icc_profile(&info, &profile, &profile_size)) icc = profile;
  picture_header header = {
    .width = info.image_width, .height = info.image_height, .channels = (uint32_t)info.num_components,
    .sample = PICTURE_UINT8, .icc = icc, .icc_size = icc ? profile_size : 0};
  if (!sink->begin(sink->context, &header)) fail((j_common_ptr)&info, "stopped");

  jpeg_start_decompress(&info);
  size_t stride = (size_t)info.output_width * (size_t)info.output_components;
  band = malloc(stride * BAND);
  if (band == NULL) fail((j_common_ptr)&info, "out of memory");
  while (info.output_scanline < info.output_height) {
    uint32_t y = info.output_scanline, rows = 0;
    while (rows < BAND && info.output_scanline < info.output_height) {
      JSAMPROW line = band + rows * stride;
      rows += jpeg_read_scanlines(&info, &line, 1);
    }
    if (!sink->rows(sink->context, band, 0, y, info.output_width, rows, stride))
      fail((j_common_ptr)&info, "stopped");
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  free(from);
  free(band);
  free(icc);
  return true;
}
