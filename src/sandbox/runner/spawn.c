/*
 * Starts a process of ours, cheaply: a copy of our memory, made only to be thrown away by the program that replaces
 * us, costs more than a short program. So the child borrows our memory until then, and we wait for that.
 * Linux counts what the borrowed memory has ever held to the peak of the program. So where we hold much, the child
 * gets a copy after all, without the parts that are large.
 */
#include "runner.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STACK_BYTES = 65536, MOST_LENT_BYTES = 2 << 20 };
static const char first_victim[] = "1000";

static size_t unshared_bytes;
static int oom_score_fd = NO_FD;
static char own_oom_score[16];

/* What is given back is counted all the same: so does Linux. */
void *unshared_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || madvise(memory, bytes + 1, MADV_DONTFORK) < 0) fail("mmap");
  unshared_bytes += bytes;
  return memory;
}

void give_back_unshared_memory(void *memory, size_t bytes) { munmap(memory, bytes + 1); }

/*
 * Opened while that is still allowed to us. bubblewrap names our own folder in PWD, which is not the program's.
 */
void prepare_spawning(void) {
  unsetenv("PWD");
  oom_score_fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
  if (oom_score_fd != NO_FD && pread(oom_score_fd, own_oom_score, sizeof own_oom_score - 1, 0) <= 0)
    strcpy(own_oom_score, "0");
}

/* Not being able to is no reason to run nothing. */
static void set_oom_score(const char *score) {
  if (oom_score_fd != NO_FD && pwrite(oom_score_fd, score, strlen(score), 0) < 0) return;
}

struct errand {
  int (*begin)(void *);
  void *given;
};

/* Ours is set back by the child, so that the program never sees it otherwise. The file is the one of our process. */
static int run_errand(void *given) {
  const struct errand *errand = given;
  set_oom_score(own_oom_score);
  return errand->begin(errand->given);
}

static pid_t spawn_in_our_memory(struct errand *errand) {
  static char stack[STACK_BYTES] __attribute__((aligned(16)));
  return clone(run_errand, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, errand);
}

static pid_t spawn_in_a_copy(struct errand *errand) {
  pid_t pid = fork();
  if (pid == 0) _exit(run_errand(errand));
  return pid;
}

/* If the whole machine runs out of memory, the program shall go first: it inherits what we have meanwhile. */
pid_t spawn(int (*begin)(void *), void *given) {
  struct errand errand = {begin, given};
  set_oom_score(first_victim);
  return unshared_bytes > MOST_LENT_BYTES ? spawn_in_a_copy(&errand) : spawn_in_our_memory(&errand);
}
