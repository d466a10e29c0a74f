"""Uncompressed DNG files of one strip of 16-bit samples, as the project's simulation writes them: read, decoded by LibRaw,
enlarged. Needs NumPy; enlarging needs OpenCV."""

import ctypes
import struct

import numpy as np

# Tags of TIFF and DNG, and of EXIF.
WIDTH, HEIGHT, BITS, STRIP_OFFSET, ROWS_PER_STRIP, STRIP_BYTES = 256, 257, 258, 273, 278, 279
EXIF, EXPOSURE_TIME, ISO = 34665, 33434, 34855
BLACK, WHITE, MATRIX_D65, NEUTRAL, NOISE = 50714, 50717, 50722, 50728, 51041
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 10: 8, 12: 8}


class Dng:
    """The tags of a file, and its mosaic."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._bytes = file.read()
        order, self._directory = struct.unpack_from("<2sxxI", self._bytes)
        if order != b"II" or self[BITS] != [16]:
            raise ValueError(f"{path}: is no DNG with 16 bits as 'constant-color simulate --bits 16' writes it")
        self.width, self.height = self[WIDTH][0], self[HEIGHT][0]

    def __getitem__(self, tag):
        """The numbers of a tag."""
        return self._values(self._directory, tag)

    @property
    def exposure(self):
        """Time × ISO."""
        exif = self[EXIF][0]
        return self._values(exif, EXPOSURE_TIME)[0] * self._values(exif, ISO)[0]

    @property
    def mosaic(self):
        """The samples as they are stored."""
        return np.frombuffer(self._bytes, "<u2", self.width * self.height, self[STRIP_OFFSET][0]).reshape(self.height, self.width)

    def _entry(self, directory, tag):
        """Where the tag's entry is."""
        count, = struct.unpack_from("<H", self._bytes, directory)
        for index in range(count):
            place = directory + 2 + 12 * index
            if struct.unpack_from("<H", self._bytes, place)[0] == tag:
                return place
        raise KeyError(tag)

    def _values(self, directory, tag):
        entry = self._entry(directory, tag)
        kind, count = struct.unpack_from("<HI", self._bytes, entry + 2)
        place = entry + 8 if _SIZES[kind] * count <= 4 else struct.unpack_from("<I", self._bytes, entry + 8)[0]
        if kind in (5, 10):
            parts = struct.unpack_from(f"<{2 * count}{'I' if kind == 5 else 'i'}", self._bytes, place)
            return [above / below for above, below in zip(parts[::2], parts[1::2])]
        return list(struct.unpack_from(f"<{count}{ {1: 'B', 2: 'c', 3: 'H', 4: 'I', 12: 'd'}[kind]}", self._bytes, place))

    def write_enlarged(self, path, width, height, random):
        """The same scene with more pixels, each with the noise that the file tells of: what interpolation takes of it is added
        anew. Each colour of the mosaic is enlarged by itself, to its new places."""
        import cv2

        black, white = self[BLACK][0], self[WHITE][0]
        gain, floor = self[NOISE]
        mosaic = self.mosaic
        result = np.empty((height, width), np.uint16)
        scale = np.array([width / self.width, height / self.height])
        for row in range(2):
            for column in range(2):
                plane = mosaic[row::2, column::2].astype(np.float32)
                size = (len(range(column, width, 2)), len(range(row, height, 2)))
                offset = ((np.array([column, row]) + 0.5) / scale - 0.5 - [column, row]) / 2
                places = np.array([[1 / scale[0], 0, offset[0]], [0, 1 / scale[1], offset[1]]])
                larger = cv2.warpAffine(
                    plane, places, size, flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
                light = np.clip((larger - black) / (white - black), 0, 1)
                noise = np.sqrt(_LOST * (gain * light + floor)) * random.standard_normal(light.shape, np.float32)
                larger += noise * (white - black)
                result[row::2, column::2] = np.clip(np.rint(larger), 0, white)
        # The old samples stay where they are, unused: nothing else in the file moves.
        head = bytearray(self._bytes)
        changes = {WIDTH: width, HEIGHT: height, ROWS_PER_STRIP: height, STRIP_OFFSET: len(head), STRIP_BYTES: result.nbytes}
        for tag, value in changes.items():
            struct.pack_into("<HII", head, self._entry(self._directory, tag) + 2, 4, 1, value)
        with open(path, "wb") as file:
            file.write(head)
            file.write(result.tobytes())


# The share of the noise's variance that cubic interpolation takes away, in the mean over all places between pixels.
_LOST = 0.265


def decode(path, demosaicing):
    """Camera RGB of a RAW file, 0...1, by LibRaw: its bilinear demosaicing (0) or its best of the usual ones, AHD (3)."""
    raw = ctypes.CDLL("libraw_r.so.20")
    for name in ("libraw_init", "libraw_dcraw_make_mem_image"):
        getattr(raw, name).restype = ctypes.c_void_p
    handle = ctypes.c_void_p(raw.libraw_init(0))
    try:
        raw.libraw_set_demosaic(handle, demosaicing)
        raw.libraw_set_output_color(handle, 0)
        raw.libraw_set_output_bps(handle, 16)
        raw.libraw_set_no_auto_bright(handle, 1)
        for index in range(4):
            raw.libraw_set_user_mul(handle, index, ctypes.c_float(1))
        for index in range(2):
            raw.libraw_set_gamma(handle, index, ctypes.c_float(1))
        for status in (raw.libraw_open_file(handle, path.encode()), raw.libraw_unpack(handle), raw.libraw_dcraw_process(handle)):
            if status != 0:
                raise ValueError(f"{path}: LibRaw cannot read it ({status})")
        picture = raw.libraw_dcraw_make_mem_image(handle, None)
        kind, height, width, colours, bits, size = struct.unpack("<iHHHHI", ctypes.string_at(picture, 16))
        samples = np.frombuffer((ctypes.c_uint16 * (size // 2)).from_address(picture + 16), np.uint16)
        result = samples.reshape(height, width, colours).astype(np.float32) * np.float32(1 / 65535)
        raw.libraw_dcraw_clear_mem(ctypes.c_void_p(picture))
        return result
    finally:
        raw.libraw_close(handle)
