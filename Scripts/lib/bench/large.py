"""How long frames of 12 megapixels take: ours beside OpenCV, on the same pictures, one after the other."""

import cv2
import numpy as np

import estimators
import geometry
import measures
import pictures

SIDE = 4000  # 12 megapixels in the 4:3 of most cameras
SHAKE = geometry.Shake(shift=60, rotation=0.5)
PAIRS = 3  # of those given, the first ones
REDUCED = 1000


def _ecc_reduced(flash, ambient):
    """ECC as one uses it on large frames: estimated on reduced ones; the move itself is at full size."""
    factor = REDUCED / max(flash.shape[:2])
    size = tuple(round(side * factor) for side in flash.shape[1::-1])
    frames = [cv2.resize(frame, size, interpolation=cv2.INTER_AREA) for frame in (flash, ambient)]
    matrix = estimators.ecc(estimators.normalized_gradient, homography=True)(*frames)
    return geometry.resized(matrix, 1 / factor)


def show(pairs, runner, command):
    """Measures and prints the table."""
    methods = {
        "constant-color --align auto": estimators.Ours(command, "auto"),
        "constant-color --align homography": estimators.Ours(command, "homography"),
        "OpenCV ECC homography, normalised gradient": estimators.OpenCV(estimators.ecc(estimators.normalized_gradient, True)),
        f"OpenCV the same, estimated at {REDUCED} px": estimators.OpenCV(_ecc_reduced),
    }
    times, errors, wholes = ({name: [] for name in methods} for _ in range(3))
    for pair in pairs[:PAIRS]:
        random = lambda use: geometry.generator(runner.seed, pair.name, "large", use)
        studio = pictures.Studio(
            pair, SIDE, lambda size: [geometry.random_homography(random("movement"), size, SHAKE)], enlarge=True)
        flash, ambient = runner.paths(f"{pair.name} large")
        studio.take(studio.movements[0], random("noise"), runner.noise, flash, ambient)
        for name, method in methods.items():
            answers = [method(flash, ambient) for _ in range(runner.times)]
            times[name].append(float(np.median([answer.seconds for answer in answers])))
            wholes[name].append(float(np.median([answer.process for answer in answers])))
            errors[name].append(geometry.corner_errors(answers[0].matrix, studio.movements[0] @ studio.own, studio.size)[0])
        runner.discard(flash, ambient)
    ours = np.median(times["constant-color --align auto"])
    rows = []
    for name in methods:
        taken, whole = np.median(times[name]), np.median(wholes[name])
        rows.append([
            name, measures.seconds(taken), f"{taken / ours:.2f}", measures.seconds(whole),
            measures.pixels(np.median(errors[name]))])
    width, height = studio.size
    print(f"\n## {len(pairs[:PAIRS])} pair(s), the last of {width} × {height} pixels: estimate and move the ambient frame\n")
    print(measures.table(["", "s", "× ours", "s, whole process", "error, px RMS"], rows))
