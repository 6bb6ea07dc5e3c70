/*
 * The relay: what a tester starts in place of the program, when it is one that starts programs. It carries the
 * tester's bytes to the program, which runs in another cell, and back, through the two FIFOs of the case.
 * A process for each direction: one that waits must not keep the other from going on. It ends when the program has
 * closed its stdout, as the program's own process would for its tester.
 */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CARRIED_BYTES = 65536 };

/* Does not wait for the other end: a program that has ended already has none. */
static int open_end(const char *name, int flags) {
  char path[4096];
  const char *folder = getenv("POLYA_RELAY_FOLDER");
  snprintf(path, sizeof path, "%s/%s", folder ? folder : "/scratch", name);
  int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0) fcntl(fd, F_SETFL, 0);
  return fd;
}

/* The runner keeps both FIFOs open until it hears this. */
static void tell_runner(void) {
  const char *runner = getenv("POLYA_RELAY_RUNNER");
  kill(runner ? atoi(runner) : 1, SIGUSR1);
}

static bool write_all(int fd, const char *bytes, ssize_t length) {
  while (length > 0) {
    ssize_t count = write(fd, bytes, (size_t)length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    length -= count;
  }
  return true;
}

/* Returns at the end of one side, which closes the other. */
static void carry(int from, int to) {
  static char bytes[CARRIED_BYTES];
  ssize_t count;
  do count = read(from, bytes, sizeof bytes);
  while ((count > 0 && write_all(to, bytes, count)) || (count < 0 && errno == EINTR));
  close(from);
  close(to);
}

int relay_main(void) {
  int from_program = open_end("relay-in", O_RDONLY), to_program = open_end("relay-out", O_WRONLY);
  bool has_ended = to_program < 0 && errno == ENXIO;
  if (from_program < 0 || (to_program < 0 && !has_ended)) {
    perror("The program that this stands for cannot be reached");
    return 1;
  }
  signal(SIGPIPE, SIG_IGN);
  tell_runner();
  pid_t carrier = fork();
  if (carrier < 0) return 1;
  if (carrier == 0) {
    close(from_program);
    close(STDOUT_FILENO);
    if (!has_ended) carry(STDIN_FILENO, to_program);
    return 0;
  }
  close(STDIN_FILENO);
  if (!has_ended) close(to_program);
  carry(from_program, STDOUT_FILENO);
  kill(carrier, SIGKILL);
  waitpid(carrier, NULL, 0);
  return 0;
}
