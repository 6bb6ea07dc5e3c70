/*
 * Reads a request: lines of `name number`, where some names are followed by that many bytes. What it says of the cell
 * itself (control groups, kept files) holds for all that follow.
 */
#include "runner.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 4096 };

/* A file, not a pipe: the program reads it at its own pace and nobody has to feed it meanwhile. */
static int receive_stdin(int64_t length) {
  char path[] = "stdin";
  receive_file(path, length, 0400);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path);
  unlink(path);
  return fd;
}

/* Somebody outside holds both ends of a FIFO until all that belong to it have opened theirs, so this never waits. */
static int open_pipe(int64_t length, int flags) {
  char *path = read_text(length);
  int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) fail(path);
  free(path);
  return fd;
}

/* The relay finds the FIFO through a link, because testers close what they do not know before they start it. */
static int open_relay_pipe(int64_t length, int flags, const char *link) {
  char *path = read_text(length);
  int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0 || symlink(path, link) < 0) fail(path);
  free(path);
  return fd;
}

static bool read_limit(struct limits *limits, const char *name, int64_t number) {
  if (!strcmp(name, "wallMs")) limits->wall_ms = number;
  else if (!strcmp(name, "cpuMs")) limits->cpu_ms = number;
  else if (!strcmp(name, "memoryBytes")) limits->memory_bytes = number;
  else if (!strcmp(name, "processes")) limits->processes = number;
  else if (!strcmp(name, "openFiles")) limits->open_files = number;
  else if (!strcmp(name, "fileBytes")) limits->file_bytes = number;
  else if (!strcmp(name, "diskBytes")) limits->disk_bytes = number;
  else if (!strcmp(name, "outputBytes")) limits->output_bytes = number;
  else return false;
  return true;
}

static bool read_cgroup(struct cgroup *cgroup, const char *name, int64_t number) {
  if (!strcmp(name, "cgroupProcs")) {
    if (cgroup->procs_count == MAX_CGROUP_PROCS) write_failure("too many control groups");
    cgroup->procs_fds[cgroup->procs_count++] = (int)number;
  } else if (!strcmp(name, "cgroupMemoryStat")) cgroup->memory_stat_fd = (int)number;
  else if (!strcmp(name, "cgroupMemoryEvents")) cgroup->memory_events_fd = (int)number;
  else if (!strcmp(name, "cgroupCpu")) cgroup->cpu_fd = (int)number;
  else if (!strcmp(name, "cgroupPidsEvents")) cgroup->pids_events_fd = (int)number;
  else if (!strcmp(name, "ownCgroup")) open_own_cgroup(cgroup);
  else return false;
  return true;
}

static bool read_file(struct cell *cell, const char *name, int64_t length, char *path) {
  if (!strcmp(name, "file")) receive_file(path, length, 0644);
  else if (!strcmp(name, "executable")) receive_file(path, length, 0755);
  else if (!strcmp(name, "kept")) keep_file(cell, path, length, 0644);
  else if (!strcmp(name, "keptExecutable")) keep_file(cell, path, length, 0755);
  else return false;
  return true;
}

static bool read_pipe(struct request *request, const char *name, int64_t length) {
  if (!strcmp(name, "stdinPipe")) request->stdin_fd = open_pipe(length, O_RDONLY);
  else if (!strcmp(name, "stdoutPipe")) request->stdout_fd = open_pipe(length, O_WRONLY);
  else if (!strcmp(name, "relayIn")) request->relay_in_fd = open_relay_pipe(length, O_RDONLY, "relay-in");
  else if (!strcmp(name, "relayOut")) request->relay_out_fd = open_relay_pipe(length, O_WRONLY, "relay-out");
  else return false;
  request->opened_pipes = true;
  return true;
}

static void read_argument(struct request *request, int64_t length) {
  if (request->argc == MAX_ARGUMENTS) write_failure("too many arguments");
  request->argv[request->argc++] = read_text(length);
}

/* `go` is the last line. */
static bool read_record(struct cell *cell, struct request *request, char **path) {
  char name[NAME_BYTES];
  int64_t number;
  read_line(name, &number);
  if (!strcmp(name, "go")) return false;
  if (read_limit(&request->limits, name, number) || read_cgroup(&cell->cgroup, name, number)) return true;
  if (read_pipe(request, name, number)) return true;
  if (*path && read_file(cell, name, number, *path)) return true;
  if (!strcmp(name, "spareDisk")) cell->has_spare_disk = true;
  else if (!strcmp(name, "arg")) read_argument(request, number);
  else if (!strcmp(name, "path")) {
    free(*path);
    *path = read_text(number);
  } else if (!strcmp(name, "folder") && *path) make_folder(*path);
  else if (!strcmp(name, "stdin")) request->stdin_fd = receive_stdin(number);
  else if (!strcmp(name, "collect")) request->collect_path = read_text(number);
  else if (!strcmp(name, "archive")) request->archive_bytes = number;
  else write_failure("the request has a line of unknown name");
  return true;
}

bool read_request(struct cell *cell, struct request *request) {
  char *path = NULL;
  *request = (struct request){.archive_bytes = -1,
                              .stdin_fd = NO_FD,
                              .stdout_fd = NO_FD,
                              .relay_in_fd = NO_FD,
                              .relay_out_fd = NO_FD};
  request->argv = calloc(MAX_ARGUMENTS + 1, sizeof *request->argv);
  if (!request->argv) fail("calloc");
  while (read_record(cell, request, &path)) continue;
  free(path);
  if (request->argc == 0) write_failure("the request names no program");
  if (request->stdin_fd == NO_FD) request->stdin_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return true;
}

static void close_fd(int fd) {
  if (fd != NO_FD) close(fd);
}

void forget_request(struct request *request) {
  for (int i = 0; i < request->argc; i++) free(request->argv[i]);
  free(request->argv);
  free(request->collect_path);
  close_fd(request->relay_in_fd);
  close_fd(request->relay_out_fd);
}
