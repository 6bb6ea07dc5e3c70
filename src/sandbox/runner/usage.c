/*
 * Measures all of the program's processes together: by its control group where there is one, else from /proc.
 * Times and peaks of processes that ended are added in program.c; here is what is still going on.
 */
#include "runner.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILES_LOOKED_AT = 10000, STAT_BYTES = 8192 };

static size_t read_again(int fd, char text[STAT_BYTES]) {
  ssize_t length = fd == NO_FD ? 0 : pread(fd, text, STAT_BYTES - 1, 0);
  if (length < 0) length = 0;
  text[length] = '\0';
  return (size_t)length;
}

/* The number behind `name ` at the start of a line; -1 where there is none. */
static int64_t field(const char *text, const char *name) {
  size_t length = strlen(name);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (!strncmp(line, name, length) && line[length] == ' ') return strtoll(line + length + 1, NULL, 10);
  }
  return -1;
}

/* Shared memory that is not in a file of ours is memory; what lies in files is counted as disk. */
static int64_t cgroup_memory_bytes(const struct cgroup *cgroup, int64_t disk_bytes) {
  char text[STAT_BYTES];
  if (read_again(cgroup->memory_stat_fd, text) == 0) return 0;
  int64_t anonymous = field(text, "anon"), shared = field(text, "shmem");
  if (anonymous < 0) anonymous = field(text, "rss");
  if (anonymous < 0) anonymous = 0;
  return shared > disk_bytes ? anonymous + shared - disk_bytes : anonymous;
}

/* Version 1 writes nanoseconds and nothing else, version 2 a table. */
static int64_t cgroup_cpu_us(const struct cgroup *cgroup) {
  char text[STAT_BYTES];
  if (read_again(cgroup->cpu_fd, text) == 0) return 0;
  int64_t us = field(text, "usage_usec");
  return us >= 0 ? us : strtoll(text, NULL, 10) / 1000;
}

static int64_t count_of(int fd, const char *name) {
  char text[STAT_BYTES];
  return read_again(fd, text) > 0 ? field(text, name) : 0;
}

void start_usage(struct cell *cell, const struct limits *limits, struct usage *usage) {
  struct cgroup *cgroup = &cell->cgroup;
  usage->memory_limit_bytes = limits->memory_bytes;
  start_disk(cell, usage);
  start_cpu(cell, &usage->cpu);
  cgroup->cpu_before_us = cgroup_cpu_us(cgroup);
  cgroup->kills_before = count_of(cgroup->memory_events_fd, "oom_kill");
  cgroup->refusals_before = count_of(cgroup->pids_events_fd, "max");
}

/* Memory that no process shows, where no control group counts it. */
static int64_t unowned_bytes(const struct cell *cell, struct usage *usage) {
  if (cell->cgroup.memory_stat_fd != NO_FD || !cell->owns_namespace) return 0;
  return shared_memory_bytes(&usage->shared) + socket_buffer_bytes();
}

void raise_peak_memory(struct usage *usage, int64_t bytes, bool is_upper_bound) {
  if (bytes <= usage->peak_memory_bytes) return;
  usage->peak_memory_bytes = bytes;
  usage->memory_is_upper_bound = is_upper_bound;
}

void sample_usage(const struct cell *cell, struct usage *usage) {
  const struct cgroup *cgroup = &cell->cgroup;
  struct moment moment = cgroup->cpu_fd == NO_FD ? cpu_moment() : (struct moment){0};
  struct sums sums = {0};
  sample_disk(cell, usage);
  if (cgroup->cpu_fd == NO_FD || cgroup->memory_stat_fd == NO_FD || cgroup->pids_events_fd == NO_FD)
    measure_live_processes(cell, usage, unowned_bytes(cell, usage), &sums);
  int64_t cpu_us = cgroup->cpu_fd == NO_FD
                       ? sample_cpu(&usage->cpu, moment, sums.cpu_us + usage->reaped_cpu_us, sums.threads)
                       : cgroup_cpu_us(cgroup) - cgroup->cpu_before_us;
  sums.memory_is_upper_bound |= usage->shared.is_upper_bound;
  if (cgroup->memory_stat_fd != NO_FD) {
    sums.memory_bytes = cgroup_memory_bytes(cgroup, usage->disk_bytes);
    sums.memory_is_upper_bound = false;
  }
  if (cpu_us > usage->cpu_us || usage->cpu.is_upper_bound) usage->cpu_us = cpu_us;
  raise_peak_memory(usage, sums.memory_bytes, sums.memory_is_upper_bound);
  if (sums.threads > usage->peak_processes) usage->peak_processes = sums.threads;
}

void complete_usage(const struct cell *cell, struct usage *usage) {
  if (cell->cgroup.cpu_fd != NO_FD) return;
  sample_cpu(&usage->cpu, cpu_moment(), usage->reaped_cpu_us, 0);
  limit_by_machine(&usage->cpu);
  usage->cpu_us = usage->cpu.total_us;
}

bool was_killed_for_memory(const struct cgroup *cgroup) {
  return count_of(cgroup->memory_events_fd, "oom_kill") > cgroup->kills_before;
}

bool was_refused_a_process(const struct cgroup *cgroup) {
  return count_of(cgroup->pids_events_fd, "max") > cgroup->refusals_before;
}

static int64_t wanted_bytes, files_looked_at;

static int look_at_file(const char *path, const struct stat *info, int kind, struct FTW *place) {
  (void)path, (void)place;
  if (kind == FTW_F && info->st_size >= wanted_bytes) return 1;
  return ++files_looked_at > MAX_FILES_LOOKED_AT ? -1 : 0;
}

bool has_file_of_size(int64_t bytes) {
  wanted_bytes = bytes;
  files_looked_at = 0;
  return nftw(".", look_at_file, 16, FTW_PHYS) == 1;
}
