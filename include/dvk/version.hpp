// The library's version. Semantic versioning; the inline namespace v0 changes when the ABI does.
#pragma once

#define DVK_VERSION_MAJOR 0
#define DVK_VERSION_MINOR 1
#define DVK_VERSION_PATCH 0
#define DVK_VERSION_STRING "0.1.0"
