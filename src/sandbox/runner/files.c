/*
 * Files that a request brings. They are written as they arrive, so that a large input never lies in our memory; only
 * those that every program of the cell is to find are kept there, where no program can reach them.
 */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_parents(char *path) {
  for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(path, 0755) < 0 && errno != EEXIST) fail(path);
    *slash = '/';
  }
}

void make_folder(char *path) {
  make_parents(path);
  if (mkdir(path, 0755) < 0 && errno != EEXIST) fail(path);
}

static int create(char *path, mode_t mode) {
  make_parents(path);
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd < 0) fail(path);
  return fd;
}

void receive_file(char *path, int64_t length, mode_t mode) {
  int fd = create(path, mode);
  copy_input(fd, length);
  close(fd);
}

static void write_kept_file(const struct kept_file *file) {
  int fd = create(file->path, file->mode);
  for (size_t at = 0; at < file->length;) {
    ssize_t count = write(fd, file->bytes + at, file->length - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("writing a kept file");
    at += (size_t)count;
  }
  close(fd);
}

void keep_file(struct cell *cell, const char *path, int64_t length, mode_t mode) {
  struct kept_file *file = malloc(sizeof *file);
  char *name = strdup(path);
  if (!file || !name) fail("malloc");
  *file = (struct kept_file){name, unshared_memory((size_t)length), (size_t)length, mode, cell->kept};
  read_bytes(file->bytes, file->length);
  cell->kept = file;
  write_kept_file(file);
}

void write_kept_files(const struct cell *cell) {
  for (const struct kept_file *file = cell->kept; file; file = file->next) write_kept_file(file);
}
