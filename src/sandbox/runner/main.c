/*
 * The life of a cell: for each request, start the program, watch it, end what is left of it, report.
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
enum { CONTROL, SIGNALS, REPORTS, OUT, ERR, WATCHED };

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

static int watch_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  int fd = signalfd(NO_FD, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) fail("signalfd");
  return fd;
}

static bool is_overdue(const struct limits *limits, struct program *program) {
  if (now_us() - program->started_us < limits->wall_ms * 1000) return false;
  learn_start(program);
  return now_us() - program->started_us >= limits->wall_ms * 1000;
}

/*
 * What it took goes before how long it took: a busy machine may let us look only when its time is over as well.
 */
static enum stop limit_reached(const struct limits *limits, struct program *program) {
  struct usage *usage = &program->usage;
  if (usage->cpu.is_upper_bound && usage->cpu_us > limits->cpu_ms * 1000) {
    limit_by_machine(&usage->cpu);
    usage->cpu_us = usage->cpu.total_us;
  }
  if (usage->peak_memory_bytes > limits->memory_bytes) return STOP_MEMORY;
  if (usage->disk_bytes > limits->disk_bytes) return STOP_DISK;
  if (is_overdue(limits, program)) return STOP_WALL;
  if (usage->cpu_us > limits->cpu_ms * 1000) return STOP_CPU;
  if (output_exceeds(&program->out, limits->output_bytes)) return STOP_OUTPUT;
  if (output_exceeds(&program->err, limits->output_bytes)) return STOP_OUTPUT;
  return STOP_NONE;
}

/*
 * The other end of our stdin closes when the program is not wanted any more, or when Polya is gone. What arrives
 * meanwhile are the next requests: they wait.
 */
static bool is_cancelled(const struct pollfd *control) {
  return (control->revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
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
static int64_t sample(const struct cell *cell, struct usage *usage) {
  int64_t begun = clock_us(CLOCK_PROCESS_CPUTIME_ID);
  sample_usage(cell, usage);
  int64_t pause = (clock_us(CLOCK_PROCESS_CPUTIME_ID) - begun) * SAMPLE_COST_FACTOR;
  return pause > SAMPLE_EVERY_US ? pause : SAMPLE_EVERY_US;
}

static void release(int *fd) {
  if (*fd != NO_FD) close(*fd);
  *fd = NO_FD;
}

/* The relay says by SIGUSR1 that it has opened its pipes: from then on their ends are its own affair. */
static void take_signals(int signals_fd, struct request *request, struct program *program) {
  struct signalfd_siginfo signal;
  while (read(signals_fd, &signal, sizeof signal) > 0) {
    if (signal.ssi_signo != SIGUSR1) continue;
    release(&request->relay_in_fd);
    release(&request->relay_out_fd);
  }
  reap(program);
}

/* What a program before this one sent us in its last moment is not the word of this one's relay. */
static void forget_signals(int signals_fd) {
  struct signalfd_siginfo signal;
  while (read(signals_fd, &signal, sizeof signal) > 0) continue;
}

static enum stop watch(const struct cell *cell, struct request *request, struct program *program, int signals_fd) {
  struct pollfd fds[WATCHED] = {[CONTROL] = {.fd = STDIN_FILENO, .events = POLLRDHUP},
                                [SIGNALS] = {.fd = signals_fd, .events = POLLIN},
                                [REPORTS] = {.fd = cell->reports_fd, .events = POLLIN}};
  int64_t sample_at = now_us() + SAMPLE_EVERY_US;
  for (;;) {
    fds[OUT] = (struct pollfd){.fd = program->out.fd, .events = POLLIN};
    fds[ERR] = (struct pollfd){.fd = program->err.fd, .events = POLLIN};
    if (poll(fds, WATCHED, poll_timeout_ms(&request->limits, program, sample_at)) < 0 && errno != EINTR)
      fail("poll");
    if (fds[OUT].revents) drain_output(&program->out);
    if (fds[ERR].revents) drain_output(&program->err);
    if (fds[SIGNALS].revents) take_signals(signals_fd, request, program);
    if (fds[REPORTS].revents & POLLIN) answer_reported_call(cell, &request->limits, &program->usage);
    if (program->ended) return STOP_NONE;
    if (is_cancelled(&fds[CONTROL])) return STOP_CANCELLED;
    if (now_us() >= sample_at) {
      sample_at = now_us() + sample(cell, &program->usage);
      if (was_killed_for_memory(&cell->cgroup)) return STOP_MEMORY;
    }
    enum stop stop = limit_reached(&request->limits, program);
    if (stop != STOP_NONE) return stop;
  }
}

/* Once it is known which control groups there are. */
static void decide_on_reports(struct cell *cell) {
  bool is_counted = cell->cgroup.memory_stat_fd != NO_FD && cell->cgroup.cpu_fd != NO_FD;
  if (!cell->decided_on_reports && cell->owns_namespace && !is_counted) cell->reports_fd = open_reported_calls();
  cell->decided_on_reports = true;
}

static void run(struct cell *cell, struct request *request, int signals_fd) {
  struct program program = {0};
  forget_signals(signals_fd);
  decide_on_reports(cell);
  if (request->opened_pipes) write_opened();
  if (cell->has_spare_disk) take_up_spare_disk(&request->limits);
  start_usage(cell, &request->limits, &program.usage);
  start_program(cell, request, &program);
  enum stop stop = watch(cell, request, &program, signals_fd);
  sample_usage(cell, &program.usage);
  if (stop == STOP_WALL) stop = limit_reached(&request->limits, &program);
  end_all_processes(cell, &program);
  complete_usage(cell, &program.usage);
  learn_start(&program);
  close(program.word_fd);
  drop_ballast();
  if (program.failure[0]) write_failure(program.failure);
  open_up_scratch();
  write_report(cell, request, &program, stop);
  close_output(&program.out);
  close_output(&program.err);
}

/* Emptied only when there is another program to run: what is left of the last one goes with the cell. */
static void serve(struct cell *cell) {
  int signals_fd = watch_signals();
  make_scratch();
  for (bool is_first = true; input_has_more(); is_first = false) {
    struct request request;
    if (!is_first) empty_scratch();
    /* Before the request's own files, which may replace them. */
    write_kept_files(cell);
    read_request(cell, &request);
    run(cell, &request, signals_fd);
    forget_request(&request);
  }
}

int main(int argc, char **argv) {
  const char *name = strrchr(argv[0], '/');
  if (!strcmp(name ? name + 1 : argv[0], "relay")) return relay_main();
  /* Where other processes have our user too, the kernel counts them with the program's. */
  bool shares_user = argc == 2 && !strcmp(argv[1], "--without-namespace-or-user");
  bool owns_namespace = !shares_user && !(argc == 2 && !strcmp(argv[1], "--without-namespace"));
  if (owns_namespace && getpid() != 1) write_failure("the runner is process 1 of a sandbox, or nothing");
  if (!owns_namespace && prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) fail("PR_SET_CHILD_SUBREAPER");
  prepare_spawning();
  /* Before any program exists: nobody may look into our memory or at our open files from now on. */
  if (prctl(PR_SET_DUMPABLE, 0) < 0) fail("PR_SET_DUMPABLE");
  /* Elsewhere the end of our stdin tells us, and leaves us the time to end our descendants. */
  if (owns_namespace) prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  struct cell cell = {.owns_namespace = owns_namespace,
                      .reports_fd = NO_FD,
                      .cgroup = {.memory_stat_fd = NO_FD,
                                 .memory_events_fd = NO_FD,
                                 .cpu_fd = NO_FD,
                                 .pids_events_fd = NO_FD}};
  if (shares_user) cell.threads_of_others = threads_of_our_user();
  serve(&cell);
  return 0;
}
