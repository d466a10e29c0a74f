#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openexr.h>

#include "picture_io.h"

typedef struct {
  const picture_job *job;
  char *message;
  exr_context_t file;
  int part;
  int32_t chunk_rows;
  // One for each chunk of a band, so that a band's chunks can be compressed side by side.
  exr_encode_pipeline_t *pipelines;
  size_t capacity;
  exr_result_t *results;
} encoder;

static void on_error(exr_const_context_t file, exr_result_t code, const char *text) {
  void *data = NULL;
  (void)code;
  if (exr_get_user_data(file, &data) != EXR_ERR_SUCCESS || data == NULL) return;
  char *message = ((encoder *)data)->message;
  if (message[0] == 0) snprintf(message, PICTURE_MESSAGE_SIZE, "%s", text);
}

static int64_t write_bytes(
  exr_const_context_t file, void *data, const void *bytes, uint64_t count, uint64_t offset,
  exr_stream_error_func_ptr_t fail) {
  const picture_job *job = ((encoder *)data)->job;
  if (job->write(job->context, bytes, count, offset)) return (int64_t)count;
  fail(file, EXR_ERR_WRITE_IO, "stopped");
  return -1;
}

static const picture_tag *find(const picture_job *job, picture_directory directory, uint16_t number, uint16_t type) {
  for (size_t i = 0; i < job->tag_count; i++) {
    const picture_tag *tag = &job->tags[i];
    if (tag->directory == directory && tag->number == number && tag->type == type) return tag;
  }
  return NULL;
}

static uint32_t little(const uint8_t *bytes, int count) {
  uint32_t value = 0;
  for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
  return value;
}

static exr_result_t add_text(
  const encoder *e, const char *name, picture_directory directory, uint16_t number) {
  const picture_tag *tag = find(e->job, directory, number, 2);
  if (tag == NULL) return EXR_ERR_SUCCESS;
  char text[1024];
  size_t count = tag->size < sizeof text ? tag->size : sizeof text - 1;
  memcpy(text, e->job->tag_values + tag->offset, count);
  text[count] = 0;
  return text[0] == 0 ? EXR_ERR_SUCCESS : exr_attr_set_string(e->file, e->part, name, text);
}

static exr_result_t add_fraction(const encoder *e, const char *name, uint16_t number) {
  const picture_tag *tag = find(e->job, PICTURE_EXPOSURE_TAG, number, 5);
  if (tag == NULL || tag->size < 8) return EXR_ERR_SUCCESS;
  const uint8_t *bytes = e->job->tag_values + tag->offset;
  uint32_t above = little(bytes, 4), below = little(bytes + 4, 4);
  if (below == 0) return EXR_ERR_SUCCESS;
  return exr_attr_set_float(e->file, e->part, name, (float)((double)above / below));
}

static exr_result_t add_sensitivity(const encoder *e) {
  const picture_tag *tag = find(e->job, PICTURE_EXPOSURE_TAG, 34855, 3);
  if (tag == NULL || tag->size < 2) return EXR_ERR_SUCCESS;
  return exr_attr_set_float(e->file, e->part, "isoSpeed", (float)little(e->job->tag_values + tag->offset, 2));
}

static exr_result_t add_chromaticities(const encoder *e) {
  const float *c = e->job->chromaticities;
  if (c == NULL) return EXR_ERR_SUCCESS;
  exr_attr_chromaticities_t space = {c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]};
  return exr_attr_set_chromaticities(e->file, e->part, "chromaticities", &space);
}

#define CHECK(call) if ((result = (call)) != EXR_ERR_SUCCESS) return result

// The names are OpenEXR's standard attributes.
static exr_result_t write_header(encoder *e) {
  exr_result_t result;
  const picture_job *job = e->job;
  CHECK(exr_add_part(e->file, "", EXR_STORAGE_SCANLINE, &e->part));
  CHECK(exr_initialize_required_attr_simple(
    e->file, e->part, (int32_t)job->width, (int32_t)job->height, EXR_COMPRESSION_ZIP));
  for (const char *name = job->channels == 1 ? "Y" : "BGR"; *name != 0; name++) {
    const char channel[2] = {*name, 0};
    CHECK(exr_add_channel(e->file, e->part, channel, EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
  }
  CHECK(add_chromaticities(e));
  CHECK(add_fraction(e, "expTime", 33434));
  CHECK(add_fraction(e, "aperture", 33437));
  CHECK(add_sensitivity(e));
  CHECK(add_text(e, "capDate", PICTURE_EXPOSURE_TAG, 36867));
  CHECK(add_text(e, "cameraMake", PICTURE_IMAGE_TAG, 271));
  CHECK(add_text(e, "cameraModel", PICTURE_IMAGE_TAG, 272));
  CHECK(add_text(e, "lensModel", PICTURE_EXPOSURE_TAG, 42036));
  CHECK(add_text(e, "owner", PICTURE_IMAGE_TAG, 33432));
  CHECK(add_text(e, "comments", PICTURE_IMAGE_TAG, 270));
  CHECK(add_text(e, "software", PICTURE_IMAGE_TAG, 305));
  CHECK(exr_write_header(e->file));
  return exr_get_scanlines_per_chunk(e->file, e->part, &e->chunk_rows);
}

// Chunks are written later, in their order, whichever is ready first.
static exr_result_t not_yet(exr_encode_pipeline_t *pipeline) {
  (void)pipeline;
  return EXR_ERR_SUCCESS;
}

static bool reserve(encoder *e, size_t count) {
  if (count <= e->capacity) return true;
  // A pipeline may point into itself and cannot be moved; the first band is the largest.
  if (e->pipelines != NULL) return false;
  e->pipelines = calloc(count, sizeof *e->pipelines);
  e->results = calloc(count, sizeof *e->results);
  if (e->pipelines == NULL || e->results == NULL) return false;
  e->capacity = count;
  return true;
}

static exr_result_t prepare(encoder *e, size_t index, uint32_t y, const uint8_t *rows) {
  exr_result_t result;
  exr_encode_pipeline_t *pipeline = &e->pipelines[index];
  exr_chunk_info_t chunk;
  CHECK(exr_write_scanline_chunk_info(e->file, e->part, (int)y, &chunk));
  bool fresh = pipeline->context == NULL;
  if (fresh) {
    CHECK(exr_encoding_initialize(e->file, e->part, &chunk, pipeline));
  } else {
    CHECK(exr_encoding_update(e->file, e->part, &chunk, pipeline));
  }
  for (int i = 0; i < pipeline->channel_count; i++) {
    exr_coding_channel_info_t *channel = &pipeline->channels[i];
    const char *place = strchr("RGB", channel->channel_name[0]);
    channel->encode_from_ptr = rows + (place ? place - "RGB" : 0) * 4;
    channel->user_pixel_stride = (int32_t)(e->job->channels * 4);
    channel->user_line_stride = (int32_t)(e->job->width * e->job->channels * 4);
  }
  if (fresh) {
    CHECK(exr_encoding_choose_default_routines(e->file, e->part, pipeline));
    pipeline->yield_until_ready_fn = not_yet;
    pipeline->write_fn = not_yet;
  }
  return EXR_ERR_SUCCESS;
}

static void compress(void *argument, size_t index) {
  encoder *e = argument;
  e->results[index] = exr_encoding_run(e->file, e->part, &e->pipelines[index]);
}

static exr_result_t write_rows(encoder *e, uint32_t y, uint32_t rows, const uint8_t *band) {
  exr_result_t result;
  size_t stride = (size_t)e->job->width * e->job->channels * 4;
  uint32_t tall = (uint32_t)e->chunk_rows;
  size_t count = (rows + tall - 1) / tall;
  if (!reserve(e, count)) return EXR_ERR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) CHECK(prepare(e, i, y + (uint32_t)i * tall, band + i * tall * stride));
  // A chunk that the caller's cancellation leaves out must not count as compressed.
  for (size_t i = 0; i < count; i++) e->results[i] = EXR_ERR_WRITE_IO;
  e->job->parallel(e->job->context, count, compress, e);
  for (size_t i = 0; i < count; i++) {
    CHECK(e->results[i]);
    const exr_encode_pipeline_t *done = &e->pipelines[i];
    CHECK(exr_write_scanline_chunk(
      e->file, e->part, (int)(y + i * tall), done->compressed_buffer, done->compressed_bytes));
  }
  return EXR_ERR_SUCCESS;
}

static bool encode(encoder *e) {
  if (write_header(e) != EXR_ERR_SUCCESS) return false;
  uint32_t rows = 0;
  for (uint32_t y = 0; y < e->job->height; y += rows) {
    const uint8_t *band = e->job->next(e->job->context, &rows);
    if (band == NULL || write_rows(e, y, rows, band) != EXR_ERR_SUCCESS) return false;
  }
  return true;
}

bool picture_encode_openexr(const picture_job *job, char message[PICTURE_MESSAGE_SIZE]) {
  encoder e = {.job = job, .message = message};
  message[0] = 0;
  exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
  options.error_handler_fn = on_error;
  options.user_data = &e;
  options.write_fn = write_bytes;
  bool good = exr_start_write(&e.file, "picture", EXR_WRITE_FILE_DIRECTLY, &options) == EXR_ERR_SUCCESS;
  if (good) {
    good = encode(&e);
    for (size_t i = 0; i < e.capacity; i++) exr_encoding_destroy(e.file, &e.pipelines[i]);
    // Writes the table of the chunks.
    if (exr_finish(&e.file) != EXR_ERR_SUCCESS) good = false;
  }
  free(e.pipelines);
  free(e.results);
  if (!good && message[0] == 0) snprintf(message, PICTURE_MESSAGE_SIZE, "stopped");
  return good;
}
