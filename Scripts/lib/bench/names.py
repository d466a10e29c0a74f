"""What is compared: the short name of each method, and its name in tables."""

NAMES = {
    "none": "not aligned",
    "ours": "constant-color --align auto",
    "ours-translation": "constant-color --align translation",
    "ours-homography": "constant-color --align homography",
    "mtb": "OpenCV AlignMTB (shift)",
    "phase-grey": "OpenCV phase correlation, grey (shift)",
    "phase-gradient": "OpenCV phase correlation, normalised gradient (shift)",
    "ecc-grey": "OpenCV phase + ECC Euclidean, grey",
    "ecc-grey-homography": "OpenCV phase + ECC homography, grey",
    "ecc-gradient": "OpenCV phase + ECC Euclidean, normalised gradient",
    "ecc-gradient-homography": "OpenCV phase + ECC homography, normalised gradient",
    "orb": "OpenCV ORB + RANSAC similarity",
    "sift": "OpenCV SIFT + RANSAC similarity",
    "sift-homography": "OpenCV SIFT + RANSAC homography",
    "hugin": "hugin align_image_stack",
}
