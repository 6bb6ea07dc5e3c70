/* Takes what a program writes: keeps head and tail, counts everything. It knows nothing about text. */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { KILL_FACTOR = 16, READ_BYTES = 65536 };

/* Cases of a batch have the same limits, and new memory is dearer than a short program. */
static struct spare {
  void *memory;
  size_t bytes;
} spares[4];
enum { SPARES = sizeof spares / sizeof *spares };

static void *take_memory(size_t bytes) {
  for (int i = 0; i < SPARES; i++) {
    void *memory = spares[i].memory;
    if (!memory || spares[i].bytes != bytes) continue;
    spares[i].memory = NULL;
    return memory;
  }
  return unshared_memory(bytes);
}

static void give_back_memory(void *memory, size_t bytes) {
  for (int i = 0; i < SPARES; i++) {
    if (spares[i].memory) continue;
    spares[i] = (struct spare){memory, bytes};
    return;
  }
  give_back_unshared_memory(memory, bytes);
}

void open_output(struct output *output, int fd, int64_t kept_bytes) {
  *output = (struct output){.fd = fd, .head_capacity = (size_t)kept_bytes / 2};
  output->tail_capacity = (size_t)kept_bytes - output->head_capacity;
  output->head = take_memory(output->head_capacity);
  output->tail = take_memory(output->tail_capacity);
  if (fd != NO_FD && fcntl(fd, F_SETFL, O_NONBLOCK) < 0) fail("O_NONBLOCK");
}

void close_output(struct output *output) {
  if (output->fd != NO_FD) close(output->fd);
  give_back_memory(output->head, output->head_capacity);
  give_back_memory(output->tail, output->tail_capacity);
}

/* A ring; where it stands follows from the count, so it needs no state of its own. */
static void keep_tail(struct output *output, uint64_t position, const char *bytes, size_t length) {
  if (length > output->tail_capacity) {
    size_t skipped = length - output->tail_capacity;
    position += skipped;
    bytes += skipped;
    length = output->tail_capacity;
  }
  if (length == 0) return;
  size_t start = (size_t)(position % output->tail_capacity);
  size_t to_end = output->tail_capacity - start < length ? output->tail_capacity - start : length;
  memcpy(output->tail + start, bytes, to_end);
  memcpy(output->tail, bytes + to_end, length - to_end);
}

static void keep(struct output *output, const char *bytes, size_t length) {
  size_t to_head = output->head_capacity - output->head_length;
  if (to_head > length) to_head = length;
  memcpy(output->head + output->head_length, bytes, to_head);
  output->head_length += to_head;
  keep_tail(output, output->total_bytes + to_head - output->head_length, bytes + to_head, length - to_head);
  output->total_bytes += length;
}

/* One read at a time: a flood must not keep us from looking at the limits. */
void drain_output(struct output *output) {
  static char bytes[READ_BYTES];
  ssize_t count = read(output->fd, bytes, sizeof bytes);
  if (count > 0) keep(output, bytes, (size_t)count);
  if (count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN))) return;
  close(output->fd);
  output->fd = NO_FD;
}

/* Nobody is left to write, so the end comes at once; the time-out is for what we did not think of. */
void drain_to_the_end(struct output *output) {
  struct pollfd fd = {.fd = output->fd, .events = POLLIN};
  while (output->fd != NO_FD && poll(&fd, 1, 100) > 0) drain_output(output);
}

size_t tail_length(const struct output *output) {
  uint64_t after_head = output->total_bytes - output->head_length;
  return after_head < output->tail_capacity ? (size_t)after_head : output->tail_capacity;
}

bool output_exceeds(const struct output *output, int64_t kept_bytes) {
  return output->total_bytes > (uint64_t)kept_bytes * KILL_FACTOR;
}
