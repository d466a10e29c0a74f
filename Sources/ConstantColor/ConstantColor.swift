// Kernels live in folders named after their steps.
