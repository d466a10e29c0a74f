#pragma once
#include <gegl.h>
#include <gegl-plugin.h>
