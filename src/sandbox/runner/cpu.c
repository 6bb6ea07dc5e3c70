/*
 * CPU time of all processes together, without a control group. What a process used goes to its parent or to us when
 * one of us waits for it, so the sum of all that live and all that we reaped is complete: until a process ignores
 * SIGCHLD, when the kernel forgets what its children used.
 * From then on the sum has gaps. An interval in which a process began or ended is charged as much as could be used in
 * it: its length on every processor, or on as many as there were threads to run. That is never too little, because no
 * thread runs on two processors, and threads that began and ended unseen took numbers, which we count. Nor is all that
 * the whole machine did since then too little, which is less where it is idle.
 */
#include "runner.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

/* Idle time is told in whole ticks, of two kinds, before and after. */
enum { IDLE_INACCURACY_US = 40000 };

/* The last number that was given in our namespace, to a process or a thread. It is the last word of the file. */
static int64_t last_number(void) {
  static int fd = NO_FD;
  char text[128];
  if (fd == NO_FD) fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  ssize_t length = fd == NO_FD ? 0 : pread(fd, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = '\0';
  char *word = strrchr(text, ' ');
  return word ? strtoll(word, NULL, 10) : 0;
}

/* Of all processors together, waiting for disks included; -1 where the kernel does not tell. */
static int64_t idle_us(void) {
  int64_t idle = 0, waiting = 0, us_per_tick = 1000000 / sysconf(_SC_CLK_TCK);
  FILE *stat = fopen("/proc/stat", "re");
  if (!stat) return -1;
  bool found = fscanf(stat, "cpu %*s %*s %*s %" SCNd64 " %" SCNd64, &idle, &waiting) == 2;
  fclose(stat);
  return found ? (idle + waiting) * us_per_tick : -1;
}

static int64_t least(int64_t one, int64_t other) { return one < other ? one : other; }

static int64_t processors(void) {
  static int64_t count;
  if (count == 0) count = get_nprocs();
  return count > 0 ? count : 1;
}

/* Taken before the processes are read: who begins meanwhile counts to the next interval as well. */
struct moment cpu_moment(void) { return (struct moment){.us = now_us(), .number = last_number()}; }

void start_cpu(const struct cell *cell, struct cpu *cpu) {
  *cpu = (struct cpu){.moment = cpu_moment()};
  /* Where nobody reports the calls that lose times, all programs may have made them. */
  if (cell->owns_namespace && cell->cgroup.cpu_fd == NO_FD && cell->reports_fd == NO_FD) expect_lost_children(cpu);
}

/* How much could be used since the last sample; 0 where no process began or ended, so that none was missed. */
static int64_t possible_us(const struct cpu *cpu, const struct moment *moment, int threads) {
  /* Numbers start again when they are used up. */
  int64_t begun = moment->number - cpu->moment.number;
  if (begun < 0) begun = processors();
  if (!cpu->loses_children || (begun == 0 && threads >= cpu->threads)) return 0;
  return (now_us() - cpu->moment.us) * least(processors(), cpu->threads + begun);
}

/* `seen_us`: of all that live and all that were reaped. */
int64_t sample_cpu(struct cpu *cpu, struct moment moment, int64_t seen_us, int threads) {
  int64_t most_us = possible_us(cpu, &moment, threads), used_us = seen_us - cpu->seen_us;
  if (most_us > 0) {
    cpu->total_us += most_us > used_us ? most_us : used_us;
    cpu->unseen_us = cpu->total_us - seen_us;
    cpu->is_upper_bound = true;
  } else if (seen_us + cpu->unseen_us > cpu->total_us) cpu->total_us = seen_us + cpu->unseen_us;
  cpu->seen_us = seen_us;
  cpu->moment = moment;
  cpu->threads = threads;
  return cpu->total_us;
}

/* What the machine did since children can be lost, and what was known until then. */
void limit_by_machine(struct cpu *cpu) {
  int64_t idle = cpu->is_upper_bound && cpu->idle_before_us >= 0 ? idle_us() : -1;
  if (idle < 0) return;
  int64_t busy_us = (now_us() - cpu->loses_since_us) * processors() - (idle - cpu->idle_before_us);
  int64_t most_us = cpu->known_us + busy_us + IDLE_INACCURACY_US;
  if (most_us < cpu->seen_us) most_us = cpu->seen_us;
  if (most_us >= cpu->total_us) return;
  cpu->total_us = most_us;
  cpu->unseen_us = most_us - cpu->seen_us;
}

/* What was seen until then is still complete. */
void expect_lost_children(struct cpu *cpu) {
  if (cpu->loses_children) return;
  cpu->loses_children = true;
  cpu->known_us = cpu->total_us;
  cpu->loses_since_us = now_us();
  cpu->idle_before_us = idle_us();
}
