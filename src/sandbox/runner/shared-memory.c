/*
 * How much shared memory without a file can be held, from the sizes that were asked for: it belongs to no process,
 * and lives until nobody maps it. So many as are still mapped are counted, the largest that there were, each in full.
 * What was allowed a moment ago may not be mapped yet: a thread has at most one such call under way.
 */
#include "runner.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096, MAX_SEEN = 1024, LINE_BYTES = 8192 };
static const char shared_name[] = "/dev/zero (deleted)";

/* By the numbers of their files; more than MAX_SEEN where not all can be seen. */
struct seen {
  unsigned long numbers[MAX_SEEN];
  int count;
};

static void see(struct seen *seen, unsigned long number) {
  for (int i = 0; i < seen->count; i++)
    if (seen->numbers[i] == number) return;
  if (seen->count < MAX_SEEN) seen->numbers[seen->count] = number;
  seen->count++;
}

/* A process can hide its mappings: by forbidding us to read, or by a first thread that ends before others. */
static void see_mappings_of(const char *pid, struct seen *seen) {
  char path[64], line[LINE_BYTES];
  unsigned long number;
  bool is_empty = true;
  snprintf(path, sizeof path, "/proc/%.16s/maps", pid);
  FILE *maps = fopen(path, "re");
  for (; maps && seen->count <= MAX_SEEN && fgets(line, sizeof line, maps); is_empty = false)
    if (strstr(line, shared_name) && sscanf(line, "%*s %*s %*s %*s %lu", &number) == 1) see(seen, number);
  if (is_empty && has_more_to_show(pid, maps != NULL)) seen->count = MAX_SEEN + 1;
  if (maps) fclose(maps);
}

static void see_all_mappings(struct seen *seen) {
  DIR *processes = opendir("/proc");
  if (!processes) {
    seen->count = MAX_SEEN + 1;
    return;
  }
  for (struct dirent *entry; seen->count <= MAX_SEEN && (entry = readdir(processes));)
    if (isdigit((unsigned char)entry->d_name[0]) && strcmp(entry->d_name, "1") != 0)
      see_mappings_of(entry->d_name, seen);
  closedir(processes);
}

static int larger_first(const void *one, const void *other) {
  const struct request_for_memory *left = one, *right = other;
  return (left->bytes < right->bytes) - (left->bytes > right->bytes);
}

static int64_t sum_of(const struct shared_memory *shared) {
  int64_t sum = shared->uncounted_bytes;
  for (int i = 0; i < shared->count; i++) sum += shared->requests[i].bytes;
  return sum;
}

static void forget_unmapped(struct shared_memory *shared) {
  static struct seen seen;
  int under_way = 0;
  seen.count = 0;
  see_all_mappings(&seen);
  shared->is_upper_bound = seen.count > MAX_SEEN;
  if (shared->is_upper_bound) return;
  for (int i = 0; i < shared->count; i++) under_way += shared->requests[i].thread != 0;
  qsort(shared->requests, (size_t)shared->count, sizeof *shared->requests, larger_first);
  if (seen.count + under_way < shared->count) shared->count = seen.count + under_way;
  if (shared->count == 0) shared->uncounted_bytes = 0;
}

int64_t shared_memory_bytes(struct shared_memory *shared) {
  if (shared->count > 0) forget_unmapped(shared);
  for (int i = 0; i < shared->count; i++) shared->requests[i].thread = 0;
  return sum_of(shared);
}

/* A thread that asks again has what it asked for before. */
int64_t add_shared_memory(struct shared_memory *shared, pid_t thread, uint64_t bytes, int64_t limit_bytes) {
  const uint64_t most = INT64_MAX / (4 * MAX_SHARED_REQUESTS);
  int64_t rounded = bytes > most ? (int64_t)most : (int64_t)(bytes | (PAGE_BYTES - 1)) + 1;
  for (int i = 0; i < shared->count; i++)
    if (shared->requests[i].thread == thread) shared->requests[i].thread = 0;
  if (sum_of(shared) + rounded > limit_bytes || shared->count == MAX_SHARED_REQUESTS) forget_unmapped(shared);
  if (shared->count < MAX_SHARED_REQUESTS)
    shared->requests[shared->count++] = (struct request_for_memory){thread, rounded};
  else shared->uncounted_bytes += rounded;
  return sum_of(shared);
}
