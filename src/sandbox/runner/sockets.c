/*
 * What sockets hold in their buffers belongs to no process. Linux tells how many sockets our network namespace has, and
 * not how much they hold: a few are not counted, and each one beyond counts with the most that it can hold.
 */
#include "runner.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FEW_SOCKETS = 64, FEW_TCP_SOCKETS = 8, DEFAULT_SEND_BYTES = 212992 };
/* What a connection can grow to in both directions, by Linux's defaults. */
static const int64_t MOST_TCP_BYTES = 10 << 20;

static int open_to_read(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

/* The kernel writes such files anew each time. */
static size_t read_start(int fd, char *text, size_t size) {
  ssize_t length = fd < 0 ? 0 : pread(fd, text, size - 1, 0);
  if (length < 0) length = 0;
  text[length] = '\0';
  return (size_t)length;
}

/* A socket may be given twice the size that is allowed. Not every kernel tells it in a namespace. */
static int64_t most_socket_bytes(void) {
  char text[32];
  int fd = open_to_read("/proc/sys/net/core/wmem_max");
  int64_t allowed = read_start(fd, text, sizeof text) > 0 ? strtoll(text, NULL, 10) : DEFAULT_SEND_BYTES;
  if (fd >= 0) close(fd);
  return 2 * allowed;
}

static int64_t count_after(const char *text, const char *name) {
  const char *at = strstr(text, name);
  return at ? strtoll(at + strlen(name), NULL, 10) : 0;
}

static int64_t bytes_beyond(int64_t count, int64_t few, int64_t bytes_each) {
  return count > few ? (count - few) * bytes_each : 0;
}

int64_t socket_buffer_bytes(void) {
  static int counts_fd = NO_FD, newer_counts_fd = NO_FD;
  static int64_t most_bytes;
  char text[512];
  if (most_bytes == 0) {
    most_bytes = most_socket_bytes();
    counts_fd = open_to_read("/proc/self/net/sockstat");
    newer_counts_fd = open_to_read("/proc/self/net/sockstat6");
  }
  read_start(counts_fd, text, sizeof text);
  int64_t all = count_after(text, "sockets: used "), tcp = count_after(text, "TCP: inuse ");
  /* Without any socket there is none of version 6. */
  if (all > 0 && read_start(newer_counts_fd, text, sizeof text) > 0) tcp += count_after(text, "TCP6: inuse ");
  return bytes_beyond(all, FEW_SOCKETS, most_bytes) + bytes_beyond(tcp, FEW_TCP_SOCKETS, MOST_TCP_BYTES);
}
