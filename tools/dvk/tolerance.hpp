// The quirks that --tolerate can name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dvk/result.hpp"
#include "output.hpp"

namespace dvk::cli {

// "all", and every quirk that has a safe reading.
std::vector<std::string> names_to_tolerate();
// The set of such names.
quirk_set quirks_of_names(const std::vector<std::string>& names);
// The names of a set: one by one, and with commas between them.
std::vector<std::string_view> names_of(quirk_set quirks);
std::string text_of(quirk_set quirks);
// The member "tolerated" of an object, if anything was.
void write_tolerated(json& j, quirk_set tolerated);

}  // namespace dvk::cli
