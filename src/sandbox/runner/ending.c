/*
 * Ends whatever is left of a program. In a namespace of our own that is every process but ourselves; elsewhere it is
 * our descendants, which Linux makes our children when their parents end.
 */
#include "runner.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { MOST_AT_ONCE = 1024 };

/* Stopped first, or one that forks would always be ahead of us. */
static void signal_descendants(void) {
  pid_t pids[MOST_AT_ONCE];
  for (int before = -1, count = 0; before != count;) {
    before = count;
    count = find_descendants(pids, MOST_AT_ONCE);
    for (int i = 0; i < count; i++) kill(pids[i], SIGSTOP);
  }
  int count = find_descendants(pids, MOST_AT_ONCE);
  for (int i = 0; i < count; i++) kill(pids[i], SIGKILL);
}

/* From process 1, -1 means everything in the cell but ourselves; a fork under way fails by its pending signal. */
static void signal_all(const struct cell *cell) {
  if (cell->owns_namespace) kill(-1, SIGKILL);
  else signal_descendants();
}

void end_all_processes(const struct cell *cell, struct program *program) {
  struct rusage rusage;
  int status;
  signal_all(cell);
  for (;;) {
    pid_t pid = wait4(-1, &status, 0, &rusage);
    if (pid > 0) note_end(program, pid, status, &rusage);
    else if (errno != EINTR) break;
    signal_all(cell);
  }
  drain_to_the_end(&program->out);
  drain_to_the_end(&program->err);
}
