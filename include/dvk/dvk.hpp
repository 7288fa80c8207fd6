// Everything. Layers that were not built are declared all the same, and do not link.
#pragma once

#include "dvk/builder.hpp"          // IWYU pragma: export
#include "dvk/commit.hpp"           // IWYU pragma: export
#include "dvk/crc32.hpp"            // IWYU pragma: export
#include "dvk/deletion_vector.hpp"  // IWYU pragma: export
#include "dvk/delta.hpp"            // IWYU pragma: export
#include "dvk/dispatch.hpp"         // IWYU pragma: export
#include "dvk/io.hpp"               // IWYU pragma: export
#include "dvk/puffin.hpp"           // IWYU pragma: export
#include "dvk/result.hpp"           // IWYU pragma: export
#include "dvk/scope.hpp"            // IWYU pragma: export
#include "dvk/selection.hpp"        // IWYU pragma: export
#include "dvk/version.hpp"          // IWYU pragma: export
