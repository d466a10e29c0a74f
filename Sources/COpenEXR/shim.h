#pragma once
#include <openexr.h>
