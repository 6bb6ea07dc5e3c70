/*
 * Decides the verdict and writes the report: one line of JSON, then the kept bytes in the order that the line
 * names them. A limit is blamed on evidence only, never on an exit status or a signal: a program can choose both.
 */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COPY_BYTES = 65536, GATHERED_BYTES = 65536 };

static const char *const stop_names[] = {[STOP_NONE] = "ok",       [STOP_WALL] = "wall",
                                         [STOP_CPU] = "cpu",       [STOP_MEMORY] = "memory",
                                         [STOP_DISK] = "disk",     [STOP_OUTPUT] = "output",
                                         [STOP_CANCELLED] = "cancelled"};

/* Gathered, so that whoever reads is woken once a report and not once a part of it. */
static char gathered[GATHERED_BYTES];
static size_t gathered_length;

static void send_all(const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(STDOUT_FILENO, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(3);
    bytes += count;
    length -= (size_t)count;
  }
}

static void send_gathered(void) {
  send_all(gathered, gathered_length);
  gathered_length = 0;
}

void put(const char *bytes, size_t length) {
  if (gathered_length + length > GATHERED_BYTES) send_gathered();
  if (length > GATHERED_BYTES) {
    send_all(bytes, length);
    return;
  }
  memcpy(gathered + gathered_length, bytes, length);
  gathered_length += length;
}

/* What a program did by the way that broke a limit although nothing stopped it in time. */
static const char *late_verdict(const struct cell *cell, const struct request *request,
                                const struct program *program) {
  const struct limits *limits = &request->limits;
  if (was_killed_for_memory(&cell->cgroup)) return "memory";
  if (program->usage.peak_memory_bytes > limits->memory_bytes) return "memory";
  if (program->usage.cpu_us > limits->cpu_ms * 1000) return "cpu";
  if (program->ended_us - program->started_us > limits->wall_ms * 1000) return "wall";
  if (program->usage.disk_bytes > limits->disk_bytes) return "disk";
  return NULL;
}

/* Without a control group nobody tells of a refusal; having been seen at the limit is what there is. */
static bool lacked_processes(const struct cell *cell, const struct request *request, const struct program *program) {
  if (cell->cgroup.pids_events_fd != NO_FD) return was_refused_a_process(&cell->cgroup);
  return program->usage.peak_processes >= request->limits.processes;
}

static const char *verdict_of(const struct cell *cell, const struct request *request, const struct program *program,
                              enum stop stop) {
  if (stop != STOP_NONE) return stop_names[stop];
  const char *late = late_verdict(cell, request, program);
  if (late) return late;
  if (WIFEXITED(program->status) && WEXITSTATUS(program->status) == 0) return "ok";
  if (program->usage.disk_was_full || has_file_of_size(request->limits.file_bytes)) return "disk";
  if (lacked_processes(cell, request, program)) return "processes";
  return WIFSIGNALED(program->status) ? "signal" : "exit";
}

static int open_collected(const struct request *request, const char *verdict, int64_t *bytes) {
  struct stat info;
  if (!request->collect_path || strcmp(verdict, "ok") != 0) return NO_FD;
  int fd = open(request->collect_path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &info) < 0 || !S_ISREG(info.st_mode)) return NO_FD;
  *bytes = info.st_size;
  return fd;
}

void put_file(int fd, int64_t bytes) {
  static char copy[COPY_BYTES];
  while (bytes > 0) {
    ssize_t count = read(fd, copy, bytes < COPY_BYTES ? (size_t)bytes : COPY_BYTES);
    if (count <= 0) _exit(4);
    put(copy, (size_t)count);
    bytes -= count;
  }
}

static void put_output(const struct output *output) {
  size_t length = tail_length(output);
  size_t start = output->tail_capacity ? (output->total_bytes - output->head_length - length) % output->tail_capacity : 0;
  size_t to_end = output->tail_capacity - start < length ? output->tail_capacity - start : length;
  put(output->head, output->head_length);
  put(output->tail + start, to_end);
  put(output->tail, length - to_end);
}

static int describe_output(char *text, size_t size, const struct output *output) {
  return snprintf(text, size, "{\"bytes\":%" PRIu64 ",\"headBytes\":%zu,\"tailBytes\":%zu}", output->total_bytes,
                  output->head_length, tail_length(output));
}

static int64_t archive_size(const struct request *request, const char *verdict) {
  if (request->archive_bytes < 0 || !strcmp(verdict, "cancelled")) return -1;
  return measure_archive(request->archive_bytes);
}

void write_report(const struct cell *cell, const struct request *request, const struct program *program,
                  enum stop stop) {
  char line[1024], out[128], err[128], exit_code[16] = "null";
  int64_t collected_bytes = -1;
  const char *verdict = verdict_of(cell, request, program, stop);
  int collected_fd = open_collected(request, verdict, &collected_bytes);
  int64_t archive_bytes = archive_size(request, verdict);
  bool hands_archive = archive_bytes >= 0 && archive_bytes <= request->archive_bytes;
  describe_output(out, sizeof out, &program->out);
  describe_output(err, sizeof err, &program->err);
  if (WIFEXITED(program->status)) snprintf(exit_code, sizeof exit_code, "%d", WEXITSTATUS(program->status));
  int length = snprintf(
      line, sizeof line,
      "{\"verdict\":\"%s\",\"exitCode\":%s,\"signalNumber\":%d,\"wallUs\":%" PRId64 ",\"cpuUs\":%" PRId64
      ",\"cpuIsUpperBound\":%s,\"peakMemoryBytes\":%" PRId64 ",\"memoryIsUpperBound\":%s"
      ",\"stdout\":%s,\"stderr\":%s"
      ",\"collectedBytes\":%" PRId64 ",\"archiveBytes\":%" PRId64 ",\"handsArchive\":%s}\n",
      verdict, exit_code, WIFSIGNALED(program->status) ? WTERMSIG(program->status) : 0,
      program->ended_us - program->started_us, program->usage.cpu_us,
      program->usage.cpu.is_upper_bound ? "true" : "false", program->usage.peak_memory_bytes,
      program->usage.memory_is_upper_bound ? "true" : "false", out, err,
      collected_bytes, archive_bytes, hands_archive ? "true" : "false");
  put(line, (size_t)length);
  put_output(&program->out);
  put_output(&program->err);
  if (collected_fd != NO_FD) {
    put_file(collected_fd, collected_bytes);
    close(collected_fd);
  }
  if (hands_archive) write_archive();
  send_gathered();
}

void write_opened(void) {
  static const char line[] = "{\"opened\":true}\n";
  put(line, sizeof line - 1);
  send_gathered();
}

/* We could not do our work: nobody's program is to blame. */
_Noreturn void write_failure(const char *what) {
  char line[1024];
  int length = snprintf(line, sizeof line, "{\"failure\":\"");
  for (; *what && length < (int)sizeof line - 8; what++)
    line[length++] = *what == '"' || *what == '\\' || (unsigned char)*what < ' ' ? '?' : *what;
  length += snprintf(line + length, sizeof line - (size_t)length, "\"}\n");
  put(line, (size_t)length);
  send_gathered();
  exit(1);
}
