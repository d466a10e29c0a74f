#pragma once
#include <stdbool.h>

/// Lets this process be killed when the process that started it ends; false where that has ended already.
bool process_end_with_parent(int parent);
