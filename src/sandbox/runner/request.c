/*
 * Reads the request: lines of `name number`, where some names are followed by that many bytes. Files are
 * written as they arrive, so that a large input never lies in memory. The request comes from Polya, not from
 * the program; it is checked only as far as a mistake could hang or crash us.
 */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 65536, NAME_BYTES = 32, MAX_TEXT_BYTES = 1 << 20, MAX_ARGUMENTS = 4096 };

static char buffer[BUFFER_BYTES];
static size_t buffer_start, buffer_end;

static bool refill(void) {
  ssize_t count;
  do count = read(STDIN_FILENO, buffer, BUFFER_BYTES);
  while (count < 0 && errno == EINTR);
  buffer_start = 0;
  buffer_end = count > 0 ? (size_t)count : 0;
  return count > 0;
}

static char next_char(void) {
  if (buffer_start == buffer_end && !refill()) write_failure("the request ends too early");
  return buffer[buffer_start++];
}

static void read_line(char name[NAME_BYTES], int64_t *number) {
  char line[NAME_BYTES + 24];
  size_t length = 0;
  for (char c; (c = next_char()) != '\n'; line[length++] = c)
    if (length + 1 >= sizeof line) write_failure("a line of the request is too long");
  line[length] = '\0';
  char *space = strchr(line, ' ');
  if (!space || space - line >= NAME_BYTES) write_failure("a line of the request is malformed");
  *space = '\0';
  strcpy(name, line);
  *number = strtoll(space + 1, NULL, 10);
  if (*number < 0) write_failure("a number of the request is negative");
}

static char *read_text(int64_t length) {
  if (length > MAX_TEXT_BYTES) write_failure("an argument or path is too long");
  char *text = malloc((size_t)length + 1);
  if (!text) fail("malloc");
  for (int64_t i = 0; i < length; i++) text[i] = next_char();
  text[length] = '\0';
  return text;
}

static void make_parents(char *path) {
  for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(path, 0755) < 0 && errno != EEXIST) fail(path);
    *slash = '/';
  }
}

static void write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(fd, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("writing a file of the request");
    bytes += count;
    length -= (size_t)count;
  }
}

static void receive_file(char *path, int64_t length, mode_t mode) {
  make_parents(path);
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd < 0) fail(path);
  while (length > 0) {
    if (buffer_start == buffer_end && !refill()) write_failure("the request ends too early");
    size_t count = buffer_end - buffer_start;
    if ((int64_t)count > length) count = (size_t)length;
    write_all(fd, buffer + buffer_start, count);
    buffer_start += count;
    length -= (int64_t)count;
  }
  close(fd);
}

/* A file, not a pipe: the program reads it at its own pace and nobody has to feed it meanwhile. */
static int receive_stdin(int64_t length) {
  char path[] = "stdin";
  receive_file(path, length, 0400);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path);
  unlink(path);
  return fd;
}

static bool read_limit(struct limits *limits, const char *name, int64_t number) {
  if (!strcmp(name, "wallMs")) limits->wall_ms = number;
  else if (!strcmp(name, "cpuMs")) limits->cpu_ms = number;
  else if (!strcmp(name, "memoryBytes")) limits->memory_bytes = number;
  else if (!strcmp(name, "processes")) limits->processes = number;
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
  else return false;
  return true;
}

/* `go` is the last line. What follows it on stdin is only ever the end of it, which cancels. */
static bool read_record(struct request *request, char **path) {
  char name[NAME_BYTES];
  int64_t number;
  read_line(name, &number);
  if (read_limit(&request->limits, name, number) || read_cgroup(&request->cgroup, name, number)) return true;
  if (!strcmp(name, "arg")) {
    if (request->argc == MAX_ARGUMENTS) write_failure("too many arguments");
    request->argv[request->argc++] = read_text(number);
  } else if (!strcmp(name, "path")) {
    free(*path);
    *path = read_text(number);
  } else if (!strcmp(name, "file") && *path) receive_file(*path, number, 0644);
  else if (!strcmp(name, "executable") && *path) receive_file(*path, number, 0755);
  else if (!strcmp(name, "stdin")) request->stdin_fd = receive_stdin(number);
  else if (!strcmp(name, "collect")) request->collect_path = read_text(number);
  else if (!strcmp(name, "go")) return false;
  else write_failure("the request has a line of unknown name");
  return true;
}

void read_request(struct request *request) {
  char *path = NULL;
  request->argv = calloc(MAX_ARGUMENTS + 1, sizeof *request->argv);
  if (!request->argv) fail("calloc");
  request->stdin_fd = NO_FD;
  request->cgroup.memory_stat_fd = request->cgroup.memory_events_fd = request->cgroup.cpu_fd = NO_FD;
  while (read_record(request, &path)) continue;
  free(path);
  if (request->argc == 0) write_failure("the request names no program");
  if (request->stdin_fd == NO_FD) request->stdin_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}
