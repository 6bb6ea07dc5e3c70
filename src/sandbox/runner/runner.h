/*
 * The runner: process 1 of a sandbox. It reads one request from its stdin, runs one program, and writes one
 * report to its stdout. Being process 1, the program cannot signal it; being undumpable, it cannot be read or
 * traced; so the report cannot be forged. Every orphan becomes its child, so nothing escapes its measurements.
 * It knows nothing of bubblewrap, languages or Node. It does not promise to enforce what the kernel can
 * enforce better: control groups, if there are any, are made outside and handed over as open files.
 */
#ifndef POLYA_RUNNER_H
#define POLYA_RUNNER_H

#define _GNU_SOURCE

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MAX_CGROUP_PROCS = 4, NO_FD = -1 };

struct limits {
  int64_t wall_ms, cpu_ms, memory_bytes, processes, file_bytes, disk_bytes, output_bytes;
};

/* Open files of the program's control group; NO_FD where there is none. */
struct cgroup {
  int procs_fds[MAX_CGROUP_PROCS];
  int procs_count;
  int memory_stat_fd, memory_events_fd, cpu_fd;
};

struct request {
  struct limits limits;
  struct cgroup cgroup;
  char **argv;
  int argc;
  int stdin_fd;
  /* A file to hand back if the program succeeds, or NULL. */
  char *collect_path;
};

/* Keeps the first and the last bytes of a stream and counts all of them. */
struct output {
  int fd;
  char *head, *tail;
  size_t head_capacity, tail_capacity;
  size_t head_length;
  uint64_t total_bytes;
};

enum stop { STOP_NONE, STOP_WALL, STOP_CPU, STOP_MEMORY, STOP_DISK, STOP_OUTPUT, STOP_CANCELLED };

/* What is known about the program's processes, all of them together. */
struct usage {
  int64_t cpu_us, reaped_cpu_us;
  int64_t peak_memory_bytes;
  int64_t disk_bytes, disk_baseline_bytes, inodes_baseline;
  bool disk_was_full;
};

struct program {
  pid_t pid;
  int status;
  bool ended;
  int64_t started_us, ended_us;
  struct output out, err;
  struct usage usage;
};

/* main.c */
int64_t now_us(void);
_Noreturn void fail(const char *what);

/* request.c: reads the request from stdin, writing its files below the current folder. */
void read_request(struct request *request);

/* program.c */
void start_program(const struct request *request, struct program *program);
void end_all_processes(struct program *program);
void reap(struct program *program);

/* output.c */
void open_output(struct output *output, int fd, int64_t kept_bytes);
void drain_output(struct output *output);
size_t tail_length(const struct output *output);
bool output_exceeds(const struct output *output, int64_t kept_bytes);

/* usage.c */
void start_usage(struct usage *usage);
void sample_usage(const struct cgroup *cgroup, struct usage *usage);
bool was_killed_for_memory(const struct cgroup *cgroup);
bool has_file_of_size(int64_t bytes);

/* processes.c */
void measure_live_processes(int64_t known_peak_bytes, int64_t *cpu_us, int64_t *memory_bytes);

/* report.c */
void write_report(const struct request *request, const struct program *program, enum stop stop);
_Noreturn void write_failure(const char *what);

#endif
