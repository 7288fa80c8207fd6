/* The C header compiled as C99, and each struct's layout: what breaks here breaks callers that were
   compiled before, and asks for a new DVK_ABI_VERSION. */
#include <dvk/dvk.h>

#define SAME(name, condition) typedef char name[(condition) ? 1 : -1]

SAME(abi_version, DVK_ABI_VERSION == 1u);
SAME(error_size, sizeof(dvk_error) == 32);
SAME(error_found, offsetof(dvk_error, found) == 24);
SAME(range_size, sizeof(dvk_range) == 16);
SAME(run_size, sizeof(dvk_run) == 8);
SAME(scanner_size, sizeof(dvk_scanner) == 64);
SAME(batch_result_size, sizeof(dvk_batch_result) == 16);
SAME(ok_is_zero, dvk_error_ok == 0 && dvk_quirk_none == 0);
SAME(codes_stay, dvk_error_bad_crc == 20 && dvk_error_delta_descriptor == 56);

/* The rest as on machines with 8-byte pointers. */
#define WIDE(condition) (sizeof(void*) != 8 || (condition))
SAME(run_result_size, WIDE(sizeof(dvk_run_result) == 32));
SAME(open_options_size, WIDE(sizeof(dvk_open_options) == 48));
SAME(index_options_size, WIDE(sizeof(dvk_index_options) == 24));
SAME(mask_options_size, WIDE(sizeof(dvk_mask_options) == 24));
SAME(puffin_options_size, WIDE(sizeof(dvk_puffin_options) == 56));
SAME(writer_options_size, WIDE(sizeof(dvk_puffin_writer_options) == 24));
SAME(serialize_options_size, WIDE(sizeof(dvk_serialize_options) == 32));
SAME(blob_size, WIDE(sizeof(dvk_blob) == 160));
SAME(blob_cardinality, WIDE(offsetof(dvk_blob, cardinality) == 120));

/* The first use that the header's text shows. */
int main(void) {
  dvk_index_options options = DVK_OPTIONS(dvk_index_options);
  dvk_error error = {dvk_error_truncated, 0, 0, 0, 0};
  char message[100];
  if (dvk_abi_version() != DVK_ABI_VERSION) return 1;
  if (options.size != sizeof options || options.base != 0) return 1;
  return dvk_error_message(&error, message, sizeof message) < sizeof message ? 0 : 1;
}
