// Compiler attributes, under names that say what they are for.
#pragma once

// Functions in headers that tier files include are always inlined, so that no out-of-line copy
// compiled with one tier's flags exists for the linker to choose.
#if defined(_MSC_VER)
#define DVK_INLINE static __forceinline
#define DVK_INLINE_MEMBER __forceinline
#define DVK_RESTRICT __restrict
#else
#define DVK_INLINE static inline __attribute__((always_inline))
#define DVK_INLINE_MEMBER inline __attribute__((always_inline))
#define DVK_RESTRICT __restrict__
#endif
