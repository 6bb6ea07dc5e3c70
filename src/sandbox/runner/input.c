/* Our stdin, buffered. It comes from Polya, not from a program; it is checked only as far as a mistake could hang or
 * crash us. Requests may arrive ahead of their time: whatever is behind the current one waits here and in the pipe. */
#include "runner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 65536, MAX_TEXT_BYTES = 1 << 20 };

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

bool input_has_more(void) { return buffer_start < buffer_end || refill(); }

/* As much as lies in the buffer, at most `wanted`. */
static size_t available(int64_t wanted) {
  if (!input_has_more()) write_failure("the request ends too early");
  size_t count = buffer_end - buffer_start;
  return (int64_t)count > wanted ? (size_t)wanted : count;
}

void read_bytes(char *bytes, size_t length) {
  while (length > 0) {
    size_t count = available((int64_t)length);
    memcpy(bytes, buffer + buffer_start, count);
    buffer_start += count;
    bytes += count;
    length -= count;
  }
}

void read_line(char name[NAME_BYTES], int64_t *number) {
  char line[NAME_BYTES + 24];
  size_t length = 0;
  for (char c; read_bytes(&c, 1), c != '\n'; line[length++] = c)
    if (length + 1 >= sizeof line) write_failure("a line of the request is too long");
  line[length] = '\0';
  char *space = strchr(line, ' ');
  if (!space || space - line >= NAME_BYTES) write_failure("a line of the request is malformed");
  *space = '\0';
  strcpy(name, line);
  *number = strtoll(space + 1, NULL, 10);
  if (*number < 0) write_failure("a number of the request is negative");
}

char *read_text(int64_t length) {
  if (length > MAX_TEXT_BYTES) write_failure("an argument or path is too long");
  char *text = malloc((size_t)length + 1);
  if (!text) fail("malloc");
  read_bytes(text, (size_t)length);
  text[length] = '\0';
  return text;
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

void copy_input(int fd, int64_t length) {
  while (length > 0) {
    size_t count = available(length);
    write_all(fd, buffer + buffer_start, count);
    buffer_start += count;
    length -= (int64_t)count;
  }
}
