"""The RAW pairs that are developed: rendered by 'constant-color simulate' once, and kept."""

import os
import shutil
import tempfile

import process

# What is larger is enlarged from a pair of this many megapixels, since rendering takes minutes.
LARGEST_RENDERED = 12
# A dim room with a warm lamp, a hand that shakes a little.
SCENE = ["--lux", "50", "--cct", "3000", "--tint", "planckian", "--bits", "16", "--seed", "1"]


def size(megapixels):
    """Width and height of a frame, in the 4:3 of most cameras."""
    width = max(round((megapixels * 4e6 / 3) ** 0.5 / 16), 1) * 16
    return width, width * 3 // 4


class Captures:
    """Pairs of any size, in a folder that is made where it is missing."""

    def __init__(self, command, folder):
        self._command, self._folder = command, folder

    def pair(self, megapixels):
        """The paths of a flash and an ambient frame."""
        folder = os.path.join(self._folder, f"{megapixels:g}-megapixels")
        paths = [os.path.join(folder, kind + ".dng") for kind in ("flash", "ambient")]
        if not all(map(os.path.exists, paths)):
            os.makedirs(self._folder, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._folder) as work:
                print(f"Making a pair of {megapixels:g} megapixels", flush=True)
                made = os.path.join(work, "pair")
                os.mkdir(made)
                (self._render if megapixels <= LARGEST_RENDERED else self._enlarge)(made, megapixels)
                shutil.rmtree(folder, ignore_errors=True)
                os.rename(made, folder)
        return paths

    def png(self, megapixels):
        """The same pair as 8-bit pictures, for programs that read no RAW files."""
        paths = [os.path.splitext(path)[0] + ".png" for path in self.pair(megapixels)]
        if not all(map(os.path.exists, paths)):
            import cv2
            import numpy as np

            import dng

            for raw, path in zip(self.pair(megapixels), paths):
                picture = np.sqrt(dng.decode(raw, 0))[..., ::-1]
                cv2.imwrite(path, np.rint(picture * 255).astype(np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 1])
        return paths

    def _render(self, folder, megapixels):
        width, height = size(megapixels)
        rendered = os.path.join(folder, "set")
        process.run([self._command, "simulate", "--size", f"{width}x{height}", "--output", rendered, "--quiet"] + SCENE)
        inputs = os.path.join(rendered, "inputs")
        for kind in ("flash", "ambient"):
            name, = (name for name in os.listdir(inputs) if name.endswith(f"_{kind}.dng") and not name.startswith("calibration"))
            os.rename(os.path.join(inputs, name), os.path.join(folder, kind + ".dng"))
        shutil.rmtree(rendered)

    def _enlarge(self, folder, megapixels):
        import numpy as np

        import dng

        for number, path in enumerate(self.pair(LARGEST_RENDERED)):
            dng.Dng(path).write_enlarged(
                os.path.join(folder, os.path.basename(path)), *size(megapixels), np.random.default_rng(number))
