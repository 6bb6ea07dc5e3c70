/*
 * CPU time of all processes together, without a control group. What a process used goes to its parent or to us when
 * one of us waits for it, so the sum of all that live and all that we reaped is complete: until a process ignores
 * SIGCHLD, when the kernel forgets what its children used.
 * From then on the sum has gaps. An interval in which a process began or ended is charged as much as could be used in
 * it: its length on every processor, or on as many as there were threads to run. That is never too little, because no
 * thread runs on two processors, and threads that began and ended unseen took numbers, which we count.
 */
#include "runner.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

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
  cpu->loses_children = cell->owns_namespace && cell->reports_fd == NO_FD;
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

/* The last of what was kept until then is still complete. */
void expect_lost_children(const struct cell *cell, struct usage *usage) {
  if (usage->cpu.loses_children || cell->cgroup.cpu_fd != NO_FD) return;
  sample_usage(cell, usage);
  usage->cpu.loses_children = true;
}
