#include <limits.h>
#include <string.h>

#include <zlib.h>

#include "picture_io.h"

bool picture_inflate(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size) {
  if (from_size > UINT_MAX || to_size > UINT_MAX - 1) return false;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  // Negative: no zlib header.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  // A place to write to even where nothing is expected.
  uint8_t spare;
  stream.next_in = (Bytef *)from;
  stream.avail_in = (uInt)from_size;
  stream.next_out = to_size > 0 ? to : &spare;
  stream.avail_out = to_size > 0 ? (uInt)to_size : 1;
  bool good = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == to_size;
  inflateEnd(&stream);
  return good;
}

size_t picture_deflate(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size) {
  if (from_size > UINT_MAX || to_size > UINT_MAX) return 0;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (Bytef *)from;
  stream.avail_in = (uInt)from_size;
  stream.next_out = to;
  stream.avail_out = (uInt)to_size;
  size_t size = deflate(&stream, Z_FINISH) == Z_STREAM_END ? stream.total_out : 0;
  deflateEnd(&stream);
  return size;
}

uint32_t picture_crc32(const uint8_t *bytes, size_t size) { return (uint32_t)crc32_z(0, bytes, size); }
