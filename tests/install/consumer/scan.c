/* The same as scan.cpp, for a user of the C interface. */
#include <dvk/dvk.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCH 2048

static void* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  void* bytes = NULL;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0) {
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size);
    if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
      free(bytes);
      bytes = NULL;
    }
  }
  fclose(file);
  return bytes;
}

int main(int argc, char** argv) {
  size_t size = 0;
  void* blob = argc == 2 ? read_file(argv[1], &size) : NULL;
  dvk_vector* vector;
  dvk_scanner scanner;
  dvk_error error;
  uint64_t rows, start, live = 0, sum = 0;
  uint32_t selected[BATCH];
  dvk_index_options options = DVK_OPTIONS(dvk_index_options);
  if (blob == NULL) return 2;
  if (dvk_vector_open_blob(blob, size, NULL, &vector, &error) != dvk_error_ok) {
    char message[200];
    dvk_error_message(&error, message, sizeof message);
    fprintf(stderr, "%s\n", message);
    return 1;
  }

  options.always_write = 1;
  dvk_scanner_init(&scanner, vector);
  if (!dvk_vector_max(vector, &rows)) return 1;
  ++rows;
  for (start = 0; start < rows; start += BATCH) {
    const uint64_t count = rows - start < BATCH ? rows - start : BATCH;
    uint64_t i;
    const dvk_batch_result answer =
        dvk_scan_indices_u32(&scanner, start, count, selected, BATCH, &options);
    if (answer.kind == dvk_refused) return 1;
    for (i = 0; i < answer.live; ++i)
      sum += start + selected[i];
    live += answer.live;
  }
  printf("dvk %s: %llu deleted, %llu live, sum of live rows %llu\n", dvk_version(),
         (unsigned long long)dvk_vector_cardinality(vector), (unsigned long long)live,
         (unsigned long long)sum);
  dvk_vector_free(vector);
  free(blob);
  return 0;
}
