/*
 * For machines without control groups: two system calls are reported to us before the kernel performs them, because
 * nothing else shows what they lead to. Both are allowed, and counted:
 * - Shared memory without a file stays allocated after its process gave it up, and then no process shows it. Only
 *   `mmap` makes it: see shared-memory.c.
 * - A process that ignores SIGCHLD loses the CPU times of its children. Only `rt_sigaction` makes it ignore them.
 * What a pointer leads to can change after it was read, so registers decide, except where nobody is there to change it.
 */
#include "runner.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

enum { MAP_KIND_BITS = 0x0f | MAP_ANONYMOUS, SIZE_ARGUMENT = 1 };
/* Newer kernels may write longer records than this header knows. */
enum { RECORD_BYTES = 512 };

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define LOW(index) (offsetof(struct seccomp_data, args) + 8 * (index))
#define HIGH(index) (LOW(index) + 4)
/* From the instruction `at` to those of these numbers. */
#define IF(at, value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes) - (at) - 1, (no) - (at) - 1)

enum { SIGACTION = 5, ALLOW = 12, REPORT = 13 };

/* Calls of other instruction sets never come here: the sandbox's own filter ends them. */
static struct sock_filter filter[] = {
    [0] = LOAD(offsetof(struct seccomp_data, nr)),
    [1] = IF(1, SYS_mmap, 2, SIGACTION),
    [2] = LOAD(LOW(3)),
    [3] = BPF_STMT(BPF_ALU | BPF_AND | BPF_K, MAP_KIND_BITS),
    [4] = IF(4, MAP_SHARED | MAP_ANONYMOUS, REPORT, ALLOW),
    [SIGACTION] = IF(5, SYS_rt_sigaction, 6, ALLOW),
    [6] = LOAD(LOW(0)),
    [7] = IF(7, SIGCHLD, 8, ALLOW),
    /* Where the second argument is NULL the call only asks. */
    [8] = LOAD(LOW(1)),
    [9] = IF(9, 0, 10, REPORT),
    [10] = LOAD(HIGH(1)),
    [11] = IF(11, 0, ALLOW, REPORT),
    [ALLOW] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    [REPORT] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
};

static int install(unsigned long flags) {
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER | flags, &program);
}

/* It holds for us too, who make none of these calls. Programs inherit it, and cannot get rid of it. */
int open_reported_calls(void) {
  int fd = install(SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
  if (fd < 0) fd = install(0);
  if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
  return fd < 0 ? NO_FD : fd;
}

static void count_shared_memory(struct usage *usage, const struct seccomp_notif *call, const struct limits *limits) {
  uint64_t bytes = call->data.args[SIZE_ARGUMENT];
  int64_t sum = add_shared_memory(&usage->shared, (pid_t)call->pid, bytes, limits->memory_bytes);
  if (sum > limits->memory_bytes) raise_peak_memory(usage, sum, usage->shared.is_upper_bound);
}

/*
 * Where no other thread lives in the sandbox, nobody can change what the pointer leads to. Compilers that wait for
 * their children as usual are known so, and their times stay exact.
 */
static bool ignores_nobody(const struct seccomp_notif *call, const struct cpu *cpu) {
  uint64_t action[2];
  char path[64];
  if (cpu->threads != 1) return false;
  snprintf(path, sizeof path, "/proc/%u/mem", call->pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool is_known = fd >= 0 && pread(fd, action, sizeof action, (off_t)call->data.args[1]) == (ssize_t)sizeof action;
  if (fd >= 0) close(fd);
  return is_known && action[0] != (uint64_t)(uintptr_t)SIG_IGN && !(action[1] & SA_NOCLDWAIT);
}

/* A sample first: what was used until then is still complete, and tells who lives. */
static void consider_lost_children(const struct cell *cell, const struct seccomp_notif *call, struct usage *usage) {
  if (usage->cpu.loses_children || cell->cgroup.cpu_fd != NO_FD) return;
  sample_usage(cell, usage);
  if (!ignores_nobody(call, &usage->cpu)) expect_lost_children(&usage->cpu);
}

void answer_reported_call(const struct cell *cell, const struct limits *limits, struct usage *usage) {
  union {
    struct seccomp_notif call;
    char bytes[RECORD_BYTES];
  } record = {.bytes = {0}};
  union {
    struct seccomp_notif_resp answer;
    char bytes[RECORD_BYTES];
  } reply = {.bytes = {0}};
  if (ioctl(cell->reports_fd, SECCOMP_IOCTL_NOTIF_RECV, &record) < 0) return;
  if (record.call.data.nr == SYS_mmap) count_shared_memory(usage, &record.call, limits);
  else consider_lost_children(cell, &record.call, usage);
  reply.answer.id = record.call.id;
  reply.answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ioctl(cell->reports_fd, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}
