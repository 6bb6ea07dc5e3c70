/*
 * The runner: process 1 of a cell. It reads requests from its stdin, runs one program for each, and writes a report
 * for each to its stdout; it ends with its input. Between two programs it ends what is left of the first and empties
 * the scratch folder, which is its own working folder. Being process 1, the program cannot signal it; being
 * undumpable, it cannot be read or traced; so the report cannot be forged. Every orphan becomes its child, so nothing
 * escapes its measurements.
 * It knows nothing of back-ends, languages or Node. It does not promise to enforce what the kernel can enforce
 * better: control groups, if there are any, are made outside and handed over as open files.
 */
#ifndef POLYA_RUNNER_H
#define POLYA_RUNNER_H

#define _GNU_SOURCE

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

enum { MAX_CGROUP_PROCS = 4, MAX_SHARED_REQUESTS = 1024, NO_FD = -1, NAME_BYTES = 32 };

struct limits {
  int64_t wall_ms, cpu_ms, memory_bytes, processes, open_files, file_bytes, disk_bytes, output_bytes;
};

/*
 * Open files of the programs' control group, NO_FD where there is none, and what it had counted before the program
 * that runs now: the group lives as long as the cell.
 */
struct cgroup {
  int procs_fds[MAX_CGROUP_PROCS];
  int procs_count;
  int memory_stat_fd, memory_events_fd, cpu_fd, pids_events_fd;
  bool limits_processes;
  int64_t cpu_before_us, kills_before, refusals_before;
};

/* A file that is written anew before each program. */
struct kept_file {
  char *path, *bytes;
  size_t length;
  mode_t mode;
  struct kept_file *next;
};

/* What holds for all programs of the cell. */
struct cell {
  struct cgroup cgroup;
  struct kept_file *kept;
  /* Where we are not process 1 of a namespace (back-end `none`), our descendants are all that is ours. */
  bool owns_namespace;
  /* Its disk is rounded up: see disk.c. */
  bool has_spare_disk;
  /* Where others run processes as our user, which the kernel counts together with ours: how many there were. */
  int64_t threads_of_others;
  /* Where calls are reported that a control group would make harmless; NO_FD where one does, or it cannot be. */
  int reports_fd;
  bool decided_on_reports;
};

struct request {
  struct limits limits;
  char **argv;
  int argc;
  int stdin_fd;
  /* NO_FD where it is captured. */
  int stdout_fd;
  /* FIFOs that the relay is to open, held open until it has: NO_FD where there is no relay. */
  int relay_in_fd, relay_out_fd;
  bool opened_pipes;
  /* A file to hand back if the program succeeds, or NULL. */
  char *collect_path;
  /* The largest archive of the working folder that is wanted; -1 for none. */
  int64_t archive_bytes;
  /* It starts no program: the cell gets another user, who is to find nothing of the last. */
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

/* `number`: the last process number that was given. */
struct moment {
  int64_t us, number;
};

/* See cpu.c. `unseen_us`: what is in the total and was never seen. */
struct cpu {
  struct moment moment;
  int64_t total_us, seen_us, unseen_us;
  /* When children began to be lost: what was known, and how long all processors had been idle. */
  int64_t known_us, loses_since_us, idle_before_us;
  int threads;
  bool loses_children, is_upper_bound;
};

/* Shared memory without a file that was asked for; the thread is 0 when the call is surely over. */
struct request_for_memory {
  pid_t thread;
  int64_t bytes;
};

struct shared_memory {
  struct request_for_memory requests[MAX_SHARED_REQUESTS];
  int count;
  /* Of requests beyond that number. */
  int64_t uncounted_bytes;
  /* Whether some that are counted may not be mapped any more. */
  bool is_upper_bound;
};

/* What is known about the program's processes, all of them together. */
struct usage {
  struct cpu cpu;
  int64_t cpu_us, reaped_cpu_us;
  int64_t peak_memory_bytes, rough_peak_bytes, memory_limit_bytes;
  struct shared_memory shared;
  int64_t disk_bytes, disk_baseline_bytes, inodes_baseline;
  int64_t peak_processes;
  bool disk_was_full;
  /* Of the peak: where a program hides its memory, it is the most that it can have been. */
  bool memory_is_upper_bound;
};

struct program {
  pid_t pid;
  int status;
  bool ended;
  int64_t started_us, ended_us;
  struct output out, err;
  struct usage usage;
  /* Where it says when it began, or why it could not. */
  int word_fd;
  char failure[256];
};

/* main.c */
int64_t now_us(void);
_Noreturn void fail(const char *what);

/* input.c: our stdin, buffered; what ends too early ends us. */
bool input_has_more(void);
void read_line(char name[NAME_BYTES], int64_t *number);
char *read_text(int64_t length);
void read_bytes(char *bytes, size_t length);
void copy_input(int fd, int64_t length);

/* files.c: below the current folder. */
void make_folder(char *path);
void receive_file(char *path, int64_t length, mode_t mode);
void keep_file(struct cell *cell, const char *path, int64_t length, mode_t mode);
void write_kept_files(const struct cell *cell);

/* request.c: false at the end of the input. */
bool read_request(struct cell *cell, struct request *request);
void forget_request(struct request *request);

/* scratch.c */
void make_scratch(void);
int scratch_fd(void);
/* A program may have closed it, even to us. */
void open_up_scratch(void);
void empty_scratch(void);

/* spawn.c */
/* Memory that does not count to the peak of the programs that we start. */
void *unshared_memory(size_t bytes);
void give_back_unshared_memory(void *memory, size_t bytes);
void prepare_spawning(void);
pid_t spawn(int (*begin)(void *), void *given);

/* program.c */
void start_program(const struct cell *cell, const struct request *request, struct program *program);
void learn_start(struct program *program);
void note_end(struct program *program, pid_t pid, int status, const struct rusage *rusage);
void reap(struct program *program);

/* ending.c */
void end_all_processes(const struct cell *cell, struct program *program);

/* output.c */
void open_output(struct output *output, int fd, int64_t kept_bytes);
void close_output(struct output *output);
void drain_output(struct output *output);
void drain_to_the_end(struct output *output);
size_t tail_length(const struct output *output);
bool output_exceeds(const struct output *output, int64_t kept_bytes);

/* usage.c */
void start_usage(struct cell *cell, const struct limits *limits, struct usage *usage);
void sample_usage(const struct cell *cell, struct usage *usage);
void raise_peak_memory(struct usage *usage, int64_t bytes, bool is_upper_bound);
/* When no process is left. */
void complete_usage(const struct cell *cell, struct usage *usage);
bool was_killed_for_memory(const struct cgroup *cgroup);
bool was_refused_a_process(const struct cgroup *cgroup);
bool has_file_of_size(int64_t bytes);

/* cpu.c */
void start_cpu(const struct cell *cell, struct cpu *cpu);
struct moment cpu_moment(void);
int64_t sample_cpu(struct cpu *cpu, struct moment moment, int64_t seen_us, int threads);
void expect_lost_children(struct cpu *cpu);
void limit_by_machine(struct cpu *cpu);

/* reported-calls.c */
int open_reported_calls(void);
void answer_reported_call(const struct cell *cell, const struct limits *limits, struct usage *usage);

/* shared-memory.c */
int64_t add_shared_memory(struct shared_memory *shared, pid_t thread, uint64_t bytes, int64_t limit_bytes);
int64_t shared_memory_bytes(struct shared_memory *shared);

/* sockets.c */
int64_t socket_buffer_bytes(void);

/* own-cgroup.c */
void open_own_cgroup(struct cgroup *cgroup);

/* disk.c */
void take_up_spare_disk(const struct limits *limits);
void drop_ballast(void);
void start_disk(const struct cell *cell, struct usage *usage);
void sample_disk(const struct cell *cell, struct usage *usage);

/* processes.c */
int64_t threads_of_our_user(void);
bool has_more_to_show(const char *pid, bool could_read);
struct sums {
  int64_t cpu_us, memory_bytes;
  int processes, threads;
  bool memory_is_upper_bound;
};
/* `other_bytes`: memory that no process shows. The sum is 0 where it would tell nothing new. */
void measure_live_processes(const struct cell *cell, struct usage *usage, int64_t other_bytes, struct sums *sums);
/* The living descendants of ours, at most `capacity`; how many there are. */
int find_descendants(pid_t *pids, int capacity);

/* archive.c: of the working folder; the size first, because a report names it. */
int64_t measure_archive(int64_t most_bytes);
void write_archive(void);

/* report.c */
void put(const char *bytes, size_t length);
void put_file(int fd, int64_t bytes);
void write_report(const struct cell *cell, const struct request *request, const struct program *program,
                  enum stop stop);
void write_opened(void);
_Noreturn void write_failure(const char *what);

/* relay.c: what the same binary does under the name `relay`. */
int relay_main(void);

#endif
