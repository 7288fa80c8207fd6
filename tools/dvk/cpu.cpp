// dvk cpu: which kernels were built, which can run here, and which are in use.
#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "command.hpp"
#include "dispatch/tables.hpp"
#include "dvk/dispatch.hpp"
#include "output.hpp"
#ifdef DVK_CLI_SHOWS_VARIANTS
#include "crc32/variants.hpp"
#endif

namespace dvk::cli {
namespace {

struct family {
  std::string_view name;
  std::vector<tier> built;

  // The tier whose kernels serve while `active` is the active tier.
  [[nodiscard]] tier serving(tier active) const {
    tier best = tier::scalar;
    for (const tier t : built) {
      if (t <= active && t > best) best = t;
    }
    return best;
  }
};

std::vector<family> families() {
#define DVK_TABLE(name) tier::name,
  return {{"validate",
           {
#include "validate_tiers.def"
           }},
          {"probe",
           {
#include "probe_tiers.def"
           }},
          {"selection",
           {
#include "selection_tiers.def"
           }},
          {"setops",
           {
#include "setops_tiers.def"
           }}};
#undef DVK_TABLE
}

struct variant {
  std::string_view name;
  bool runnable;
  bool serves;
};

std::vector<variant> crc32_list() {
  std::vector<variant> list;
#ifdef DVK_CLI_SHOWS_VARIANTS
  std::size_t active = 0;
  while (dispatch::tier_list[active] != active_tier())
    ++active;
  const std::string_view chosen = detail::crc32_chosen(active).name;
  for (const detail::crc32_variant& v : detail::crc32_variants()) {
    list.push_back({v.name, v.runnable, v.name == chosen});
  }
#endif
  return list;
}

output& heading(output& out, std::string_view name) {
  return out << name << std::string_view("            ").substr(name.size());
}

void print_text(output& out, const build_information& info) {
  heading(out, "dvk") << info.version << ", " << info.compiler << ", " << info.architecture;
  heading(out << '\n', "cpu") << (info.cpu.empty() ? "unknown" : escaped(info.cpu));
  heading(out << '\n', "features") << info.features;
  heading(out << '\n', "can run");
  for (const tier t : supported_tiers())
    out << tier_name(t) << ' ';
  heading(out << '\n', "active") << tier_name(info.active);
  for (const family& f : families()) {
    heading(out << '\n', f.name);
    for (const tier t : f.built) {
      const bool serves = t == f.serving(info.active);
      out << (serves ? "[" : "") << tier_name(t) << (serves ? "] " : " ");
    }
  }
  const auto variants = crc32_list();
  if (!variants.empty()) heading(out << '\n', "crc32");
  for (const variant& v : variants) {
    out << (v.serves     ? "["
            : v.runnable ? ""
                         : "(")
        << v.name
        << (v.serves     ? "] "
            : v.runnable ? " "
                         : ") ");
  }
  out << "\n\n[in use]  (cannot run here)\n";
}

void print_json(output& out, const build_information& info) {
  json j(out);
  j.begin('{').member("version", info.version).member("compiler", info.compiler);
  j.member("architecture", info.architecture).member("cpu", info.cpu);
  j.member("features", info.features).member("requested_isa", info.requested_isa);
  j.member("request_ignored", info.request_ignored).member("best", tier_name(info.best));
  j.member("active", tier_name(info.active)).key("supported").begin('[');
  for (const tier t : supported_tiers())
    j.value(tier_name(t));
  j.end(']').key("families").begin('[');
  for (const family& f : families()) {
    j.begin('{').member("name", f.name).key("built").begin('[');
    for (const tier t : f.built)
      j.value(tier_name(t));
    j.end(']').member("active", tier_name(f.serving(info.active))).end('}');
  }
  if (const auto variants = crc32_list(); !variants.empty()) {
    std::string_view serving;
    j.begin('{').member("name", "crc32").key("built").begin('[');
    for (const variant& v : variants) {
      j.value(v.name);
      if (v.serves) serving = v.name;
    }
    j.end(']').member("active", serving).end('}');
  }
  j.end(']').end('}');
  out << '\n';
}

}  // namespace

void add_cpu(registry& commands) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App& c = commands.add("cpu", "Show the instruction-set tiers: built, able to run, in use",
                             "  dvk cpu\n"
                             "  DVK_MAX_ISA=avx2 dvk cpu    # caps the tier, of every command",
                             [as_json] {
                               const build_information info = build_info();
                               if (info.request_ignored) {
                                 complain("DVK_MAX_ISA=" + escaped(info.requested_isa) +
                                          " names no tier that can run here and is ignored");
                               }
                               (*as_json ? print_json : print_text)(standard_output(), info);
                               return static_cast<int>(ok);
                             });
  c.add_flag("--json", *as_json, "As a JSON object");
}

}  // namespace dvk::cli
