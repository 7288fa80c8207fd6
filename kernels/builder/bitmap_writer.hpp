// Containers in, the portable 64-bit Roaring bitmap or its blob out.
//
// Containers come in ascending order and go straight into the result, in the smallest of the three
// forms. One pass, one growing vector: room for a 32-bit bitmap's header is left in front of its
// payloads and filled in when the bitmap is complete. Throws std::bad_alloc; the public functions
// turn that into out_of_memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dvk/builder.hpp"
#include "setops/setops.hpp"

namespace dvk::inline v0::detail {

class bitmap_writer {
 public:
  // `reserve`: bytes that the result will take, as far as known.
  bitmap_writer(output_form form, const serialize_options& options, std::uint64_t reserve);

  // Starts the 32-bit bitmap `key`; keys ascend. The two guesses, of its containers and whether any
  // will be a run, only save a move of its bytes.
  void begin(std::uint32_t key, std::size_t containers, bool runs_likely);

  // One container of the current bitmap, keys ascending; payloads as in setops.hpp. An empty one is
  // left out.
  void put_array(std::uint16_t key, const std::uint8_t* values, std::uint32_t n);
  void put_bitset(std::uint16_t key, const std::uint8_t* words, bitset_facts facts);
  // Maximal, ascending runs. `sticky`: a run container stays one up to a tie plus two bytes, as in
  // Java's runOptimize.
  void put_runs(std::uint16_t key, const std::uint8_t* runs, std::uint32_t n,
                std::uint32_t cardinality, bool sticky = false);

  // The bytes; or limit_exceeded, found out as soon as the result grew too long.
  result<std::vector<std::byte>> finish();

  [[nodiscard]] bool failed() const { return failure_.code != error_code::ok; }

 private:
  struct entry {  // one container of the current bitmap
    std::uint32_t bytes;
    std::uint16_t key;
    std::uint16_t last;  // cardinality - 1
  };

  // False if there is no room for a payload of so many bytes.
  bool begin_container(std::uint16_t key, std::uint32_t cardinality, std::uint32_t bytes);
  void append(const std::uint8_t* payload, std::uint32_t bytes);
  void append_plain(std::uint16_t key, std::uint32_t cardinality, const std::uint8_t* payload,
                    std::uint32_t bytes);
  void append_runs(std::uint16_t key, std::uint32_t cardinality, const std::uint8_t* runs,
                   std::uint32_t n);
  void end();
  void write_gaps(std::uint32_t key);
  bool has_room(std::uint64_t more);

  const setops_table& kernels_;
  output_form form_;
  serialize_options options_;
  std::vector<std::byte> bytes_;
  std::vector<entry> entries_;
  std::vector<std::uint8_t> run_flags_;
  std::size_t frame_ = 0;         // bytes before the bitmap: 0, or length and magic
  std::size_t bitmap_start_ = 0;  // of the current 32-bit bitmap
  std::size_t header_room_ = 0;
  std::uint64_t next_key_ = 0;  // first key not written yet
  std::uint64_t count_ = 0;     // 32-bit bitmaps written
  std::uint64_t gap_bytes_ = 0;
  std::uint32_t key_ = 0;
  bool open_ = false;
  bool any_run_ = false;
  error failure_;
};

}  // namespace dvk::inline v0::detail
