#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "picture_io.h"

#define BUFFER 65536
#define QUALITY 95

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf jump;
  char *message;
} error_manager;

typedef struct {
  struct jpeg_destination_mgr base;
  const picture_job *job;
  uint64_t offset;
  uint8_t buffer[BUFFER];
} destination;

static void error_exit(j_common_ptr info) {
  error_manager *errors = (error_manager *)info->err;
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  snprintf(errors->message, PICTURE_MESSAGE_SIZE, "%s", text);
  longjmp(errors->jump, 1);
}

static void stay_silent(j_common_ptr info) { (void)info; }

static void stop(j_compress_ptr info) {
  error_manager *errors = (error_manager *)info->err;
  snprintf(errors->message, PICTURE_MESSAGE_SIZE, "stopped");
  longjmp(errors->jump, 1);
}

static void start_buffer(j_compress_ptr info) {
  destination *to = (destination *)info->dest;
  to->base.next_output_byte = to->buffer;
  to->base.free_in_buffer = BUFFER;
}

static void write_buffer(j_compress_ptr info, size_t count) {
  destination *to = (destination *)info->dest;
  if (!to->job->write(to->job->context, to->buffer, count, to->offset)) stop(info);
  to->offset += count;
}

static boolean empty_buffer(j_compress_ptr info) {
  write_buffer(info, BUFFER);
  start_buffer(info);
  return TRUE;
}

static void finish_buffer(j_compress_ptr info) {
  size_t count = BUFFER - info->dest->free_in_buffer;
  if (count > 0) write_buffer(info, count);
}

static void write_exif(j_compress_ptr info, const uint8_t *exif, size_t size) {
  static const uint8_t head[6] = "Exif\0";
  if (exif == NULL || size > 65533 - sizeof head) return;
  jpeg_write_m_header(info, JPEG_APP0 + 1, (unsigned)(sizeof head + size));
  for (size_t i = 0; i < sizeof head; i++) jpeg_write_m_byte(info, head[i]);
  for (size_t i = 0; i < size; i++) jpeg_write_m_byte(info, exif[i]);
}

bool picture_encode_jpeg(const picture_job *job, char message[PICTURE_MESSAGE_SIZE]) {
  struct jpeg_compress_struct info;
  error_manager errors;
  size_t stride = (size_t)job->width * job->channels;
  destination *volatile to = malloc(sizeof(destination));
  memset(&info, 0, sizeof info);
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = error_exit;
  errors.base.output_message = stay_silent;
  errors.message = message;
  message[0] = 0;
  if (setjmp(errors.jump) || to == NULL) {
    if (message[0] == 0) snprintf(message, PICTURE_MESSAGE_SIZE, "out of memory");
    jpeg_destroy_compress(&info);
    free(to);
    return false;
  }
  jpeg_create_compress(&info);
  memset(to, 0, sizeof(destination));
  to->base.init_destination = start_buffer;
  to->base.empty_output_buffer = empty_buffer;
  to->base.term_destination = finish_buffer;
  to->job = job;
  info.dest = &to->base;
  info.image_width = job->width;
  info.image_height = job->height;
  info.input_components = (int)job->channels;
  info.in_color_space = job->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, job->quality > 0 ? job->quality : QUALITY, TRUE);
  info.optimize_coding = TRUE;
  for (int c = 0; c < info.num_components; c++) {
    info.comp_info[c].h_samp_factor = 1;
    info.comp_info[c].v_samp_factor = 1;
  }
  // EXIF readers expect APP1 first; a JFIF header before it is tolerated by all and needed by few.
  if (job->exif != NULL) info.write_JFIF_header = FALSE;
  jpeg_start_compress(&info, TRUE);
  write_exif(&info, job->exif, job->exif_size);
  if (job->icc != NULL && job->icc_size > 0) jpeg_write_icc_profile(&info, job->icc, (unsigned)job->icc_size);
  while (info.next_scanline < info.image_height) {
    uint32_t rows = 0;
    const uint8_t *band = job->next(job->context, &rows);
    if (band == NULL) stop(&info);
    for (uint32_t row = 0; row < rows; row++) {
      JSAMPROW line = (JSAMPROW)(band + row * stride);
      jpeg_write_scanlines(&info, &line, 1);
    }
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  free(to);
  return true;
}
