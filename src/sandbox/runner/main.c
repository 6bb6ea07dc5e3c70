/*
 * The life of one program: start it, watch it, end what is left of it, report.
 * What it does not do: decide the verdict (report.c) or measure (usage.c).
 */
#include "runner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLE_EVERY_US = 10000, SAMPLE_COST_FACTOR = 20 };
enum { CONTROL, CHILDREN, OUT, ERR, WATCHED };

static int64_t clock_us(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

int64_t now_us(void) { return clock_us(CLOCK_MONOTONIC); }

_Noreturn void fail(const char *what) {
  char message[512];
  snprintf(message, sizeof message, "%s: %s", what, strerror(errno));
  write_failure(message);
}

static int watch_children(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, NULL);
  int fd = signalfd(NO_FD, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) fail("signalfd");
  return fd;
}

static enum stop limit_reached(const struct limits *limits, const struct program *program) {
  const struct usage *usage = &program->usage;
  if (now_us() - program->started_us >= limits->wall_ms * 1000) return STOP_WALL;
  if (usage->cpu_us > limits->cpu_ms * 1000) return STOP_CPU;
  if (usage->peak_memory_bytes > limits->memory_bytes) return STOP_MEMORY;
  if (usage->disk_bytes > limits->disk_bytes) return STOP_DISK;
  if (output_exceeds(&program->out, limits->output_bytes)) return STOP_OUTPUT;
  if (output_exceeds(&program->err, limits->output_bytes)) return STOP_OUTPUT;
  return STOP_NONE;
}

/* The other end of our stdin closes when the program is not wanted any more, or when Polya is gone. */
static bool is_cancelled(const struct pollfd *control) {
  char ignored[64];
  if (control->revents & (POLLHUP | POLLERR)) return true;
  return (control->revents & POLLIN) && read(control->fd, ignored, sizeof ignored) <= 0;
}

static int poll_timeout_ms(const struct limits *limits, const struct program *program, int64_t sample_at) {
  int64_t wall_at = program->started_us + limits->wall_ms * 1000;
  int64_t next = (wall_at < sample_at ? wall_at : sample_at) - now_us();
  return next <= 0 ? 0 : (int)((next + 999) / 1000);
}

/*
 * Returns when to come again. Many processes make a sample dear, and watching must not become the main work of
 * the machine; the cost is our own CPU time, so that a busy machine does not make us look away.
 */
static int64_t sample(const struct cgroup *cgroup, struct usage *usage) {
  int64_t begun = clock_us(CLOCK_PROCESS_CPUTIME_ID);
  sample_usage(cgroup, usage);
  int64_t pause = (clock_us(CLOCK_PROCESS_CPUTIME_ID) - begun) * SAMPLE_COST_FACTOR;
  return pause > SAMPLE_EVERY_US ? pause : SAMPLE_EVERY_US;
}

static enum stop watch(const struct request *request, struct program *program, int children_fd) {
  struct pollfd fds[WATCHED] = {[CONTROL] = {.fd = STDIN_FILENO, .events = POLLIN},
                                [CHILDREN] = {.fd = children_fd, .events = POLLIN}};
  int64_t sample_at = now_us() + SAMPLE_EVERY_US;
  for (;;) {
    fds[OUT] = (struct pollfd){.fd = program->out.fd, .events = POLLIN};
    fds[ERR] = (struct pollfd){.fd = program->err.fd, .events = POLLIN};
    if (poll(fds, WATCHED, poll_timeout_ms(&request->limits, program, sample_at)) < 0 && errno != EINTR)
      fail("poll");
    if (fds[OUT].revents) drain_output(&program->out);
    if (fds[ERR].revents) drain_output(&program->err);
    if (fds[CHILDREN].revents) {
      struct signalfd_siginfo ignored;
      while (read(children_fd, &ignored, sizeof ignored) > 0) continue;
      reap(program);
    }
    if (program->ended) return STOP_NONE;
    if (is_cancelled(&fds[CONTROL])) return STOP_CANCELLED;
    if (now_us() >= sample_at) {
      sample_at = now_us() + sample(&request->cgroup, &program->usage);
      if (was_killed_for_memory(&request->cgroup)) return STOP_MEMORY;
    }
    enum stop stop = limit_reached(&request->limits, program);
    if (stop != STOP_NONE) return stop;
  }
}

int main(void) {
  if (getpid() != 1) write_failure("the runner is process 1 of a sandbox, or nothing");
  /* Before the program exists: nobody may look into our memory or at our open files from now on. */
  if (prctl(PR_SET_DUMPABLE, 0) < 0) fail("PR_SET_DUMPABLE");
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  struct request request = {0};
  struct program program = {0};
  read_request(&request);
  int children_fd = watch_children();
  start_usage(&program.usage);
  start_program(&request, &program);
  enum stop stop = watch(&request, &program, children_fd);
  sample_usage(&request.cgroup, &program.usage);
  end_all_processes(&program);
  write_report(&request, &program, stop);
  return 0;
}
