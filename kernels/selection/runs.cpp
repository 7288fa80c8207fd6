// Scanner: lists of runs and of alternating lengths, both read off one stream of edges.
#include <limits>

#include "selection/access.hpp"

namespace dvk::inline v0 {
namespace detail {
namespace {

// Rows whose edges are computed at a time when the caller's buffer might not hold them all.
constexpr std::uint32_t chunk_rows = 1024;

// Edges of consecutive rows, in batch-relative numbers: where the state (deleted or live) changes.
class edge_stream {
 public:
  edge_stream(const bound& tools, std::uint64_t start, bool deleted, cursor at)
      : tools_(tools), row_(start), start_(start), deleted_(deleted), at_(at) {}

  // Appends the edges of the next n rows to out, which has room for n, and returns their number.
  std::uint32_t next(std::uint64_t n, std::uint32_t* out) {
    std::uint32_t written = 0;
    for_each_segment(
        tools_.where, {row_, n}, at_,
        [&](std::uint64_t row, std::uint64_t) {
          if (deleted_) out[written++] = static_cast<std::uint32_t>(row - start_);
          deleted_ = false;
        },
        [&](const container& c, std::uint32_t lo, std::uint32_t hi, std::uint64_t row,
            std::uint32_t* hint) {
          written += tools_.kernels.edges(c, lo, hi, static_cast<std::uint32_t>(row - start_),
                                          &deleted_, out + written, hint);
        });
    row_ += n;
    return written;
  }
  bool deleted() const { return deleted_; }
  cursor at() const { return at_; }

 private:
  const bound& tools_;
  std::uint64_t row_;
  std::uint64_t start_;
  bool deleted_;
  cursor at_;
};

// Rows of all runs together: fewer than 2^32, so that sums may wrap on the way.
std::uint32_t length_of(const row_run* runs, std::size_t n) {
  std::uint32_t rows = 0;
  for (std::size_t i = 0; i < n; ++i)
    rows += runs[i].end - runs[i].begin;
  return rows;
}

}  // namespace
}  // namespace detail

run_result scanner::runs(row_range rows, std::span<row_run> out,
                         const index_options& options) noexcept {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
  if (!detail::valid(rows) || rows.count > largest || options.base > largest - rows.count)
    return {};
  if (out.empty() && rows.count != 0) return {};
  const auto tools = scanner_access::tools(*this);
  const bool wanted_deleted = options.rows == polarity::deleted;
  // The row before the batch counts as unwanted, so that edges alternate begin, end, begin, ...
  detail::edge_stream stream(tools, rows.start, !wanted_deleted, scanner_access::cursor(*this));
  static_assert(sizeof(row_run) == 2 * sizeof(std::uint32_t));
  auto* edges = reinterpret_cast<std::uint32_t*>(out.data());
  const std::uint64_t room = 2 * out.size();
  std::uint64_t written = 0, done = 0;
  bool full = false;
  while (done < rows.count && !full) {
    const std::uint64_t left = rows.count - done;
    // n rows have at most n edges, and one more closes the last run.
    if (room - written > left) {
      written += stream.next(left, edges + written);
      done = rows.count;
      break;
    }
    std::uint32_t chunk[detail::chunk_rows];
    const std::uint64_t n = left < detail::chunk_rows ? left : detail::chunk_rows;
    const std::uint32_t found = stream.next(n, chunk);
    for (std::uint32_t i = 0; i < found; ++i) {
      if (written == room) {
        done = chunk[i];  // this run does not fit: the rows before it are answered
        full = true;
        break;
      }
      edges[written++] = chunk[i];
    }
    if (!full) done += n;
  }
  if (written % 2 != 0) edges[written++] = static_cast<std::uint32_t>(done);
  const std::uint64_t wanted = detail::length_of(out.data(), static_cast<std::size_t>(written / 2));
  if (options.base != 0) {
    for (std::uint64_t i = 0; i < written; ++i)
      edges[i] += static_cast<std::uint32_t>(options.base);
  }
  if (!full) scanner_access::keep(*this, stream.at());
  const std::uint64_t live = wanted_deleted ? done - wanted : wanted;
  return {static_cast<std::size_t>(written / 2), done, live, detail::kind_of(live, done)};
}

run_result scanner::alternating(row_range rows, std::span<std::uint32_t> out,
                                const index_options& options) noexcept {
  if (!detail::valid(rows) || rows.count > std::numeric_limits<std::uint32_t>::max()) return {};
  if (out.size() < 2 && rows.count != 0) return {};
  const auto tools = scanner_access::tools(*this);
  // The first length is of wanted rows: the row before the batch counts as wanted, and a first edge
  // at 0 makes it empty.
  detail::edge_stream stream(tools, rows.start, options.rows == polarity::deleted,
                             scanner_access::cursor(*this));
  const std::size_t room = out.size() & ~std::size_t{1};
  std::size_t written = 0;
  std::uint64_t done = 0, last = 0;  // `last`: the edge that the next length starts at
  std::uint64_t rows_of[2] = {};     // wanted and other rows
  bool full = false;
  const auto put = [&](std::uint64_t length) {
    rows_of[written % 2] += length;
    out[written++] = static_cast<std::uint32_t>(length);
  };
  std::uint32_t chunk[detail::chunk_rows];
  while (done < rows.count && !full) {
    const std::uint64_t n =
        rows.count - done < detail::chunk_rows ? rows.count - done : detail::chunk_rows;
    const std::uint32_t found = stream.next(n, chunk);
    for (std::uint32_t i = 0; i < found && !full; ++i) {
      put(chunk[i] - last);
      last = chunk[i];
      full = written == room;
    }
    done = full ? last : done + n;
  }
  if (!full && last < rows.count) put(rows.count - last);
  if (!full) scanner_access::keep(*this, stream.at());
  const std::uint64_t live = rows_of[options.rows == polarity::deleted ? 1 : 0];
  return {written, done, live, detail::kind_of(live, done)};
}

}  // namespace dvk::inline v0
