// Symbol visibility of the library. Everything is hidden unless it is marked DVK_EXPORT.
#pragma once

#if defined(_WIN32) && defined(DVK_SHARED)
#if defined(DVK_BUILDING)
#define DVK_EXPORT __declspec(dllexport)
#else
#define DVK_EXPORT __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define DVK_EXPORT __attribute__((visibility("default")))
#else
#define DVK_EXPORT
#endif
