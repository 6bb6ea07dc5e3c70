/*
 * Starts the program with its limits in place, reaps whatever ends, and ends whatever is left.
 * The clock starts when the program replaces our own code, not when we fork.
 */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_INHERITED_FILES = 1024 };
static const int64_t MAX_STACK_BYTES = 256 << 20;

static bool limit(int resource, int64_t soft, int64_t hard) {
  struct rlimit value = {.rlim_cur = (rlim_t)soft, .rlim_max = (rlim_t)hard}, inherited;
  if (getrlimit(resource, &inherited) == 0 && inherited.rlim_max < value.rlim_max) {
    value.rlim_max = inherited.rlim_max;
    if (value.rlim_cur > value.rlim_max) value.rlim_cur = value.rlim_max;
  }
  return setrlimit(resource, &value) == 0;
}

static bool set_limits(const struct cell *cell, const struct limits *limits) {
  /* The watch ends it at the millisecond; this is the net below, of the kernel's whole seconds, per process. */
  int64_t cpu_seconds = (limits->cpu_ms + 999) / 1000 + 1;
  int64_t stack_bytes = limits->memory_bytes < MAX_STACK_BYTES ? limits->memory_bytes : MAX_STACK_BYTES;
  /*
   * We are a process of the same user, hence one more. A control group counts exactly and tells of refusals, so there
   * it shall be the first to refuse.
   */
  int64_t processes = limits->processes + (cell->cgroup.pids_events_fd == NO_FD ? 1 : 2) + cell->threads_of_others;
  return limit(RLIMIT_CPU, cpu_seconds, cpu_seconds + 1) &&
         limit(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) &&
         limit(RLIMIT_STACK, stack_bytes, stack_bytes) && limit(RLIMIT_NPROC, processes, processes) &&
         limit(RLIMIT_NOFILE, limits->open_files, limits->open_files) && limit(RLIMIT_CORE, 0, 0) &&
         limit(RLIMIT_MSGQUEUE, 0, 0) && limit(RLIMIT_MEMLOCK, 0, 0);
}

static bool enter_cgroups(const struct cgroup *cgroup) {
  for (int i = 0; i < cgroup->procs_count; i++)
    if (write(cgroup->procs_fds[i], "0", 1) != 1) return false;
  return true;
}

static void close_all_but_standard(void) {
  if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */) == 0) return;
  for (int fd = STDERR_FILENO + 1; fd < MOST_INHERITED_FILES; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static bool redirect(const struct request *request, int out_fd, int err_fd) {
  return dup2(request->stdin_fd, STDIN_FILENO) >= 0 && dup2(out_fd, STDOUT_FILENO) >= 0 &&
         dup2(err_fd, STDERR_FILENO) >= 0;
}

static void reset_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Where the relay finds its pipes, and whom to tell when it has opened them. */
static void tell_relay(void) {
  char folder[4096], pid[16];
  snprintf(pid, sizeof pid, "%d", getpid());
  if (!getcwd(folder, sizeof folder) || setenv("POLYA_RELAY_FOLDER", folder, 1) < 0 ||
      setenv("POLYA_RELAY_RUNNER", pid, 1) < 0)
    fail("setenv");
}

static void forget_relay(void) {
  unsetenv("POLYA_RELAY_FOLDER");
  unsetenv("POLYA_RELAY_RUNNER");
}

/* What the child says of itself: when it became the program and, behind that, why it could not. */
struct last_word {
  bool failed;
  int64_t started_us;
  char what[256];
};

struct ends {
  int out_fd, err_fd, word_fd;
};

static bool tell_start(int word_fd) {
  struct last_word word = {.started_us = now_us()};
  return write(word_fd, &word, sizeof word) == (ssize_t)sizeof word;
}

/*
 * What was compiled, and is nothing that this machine can start: an object file, a file for another processor, one
 * whose loader is not there. That is its maker's doing, and no defect of the sandbox.
 */
static bool is_no_program(const char *path) {
  bool is_its_doing = errno == ENOEXEC || errno == ENOENT || errno == EACCES || errno == ELIBBAD || errno == EINVAL;
  struct stat asked, ours;
  int why = errno;
  bool is_staged = stat(path, &asked) == 0 && stat("../program", &ours) == 0 && asked.st_ino == ours.st_ino &&
                   asked.st_dev == ours.st_dev;
  errno = why;
  return is_its_doing && is_staged;
}

/* As a shell does it. */
static _Noreturn void refuse_to_start(void) {
  dprintf(STDERR_FILENO, "The program cannot be started: %s\n", strerror(errno));
  _exit(126);
}

/*
 * Returns the name of the step that failed, with errno set. From here on our stdout is the program's. It may still
 * have our memory (see spawn.c), so it changes nothing there.
 */
static const char *become_program(const struct cell *cell, const struct request *request, struct ends ends) {
  close_all_but_standard();
  if (!redirect(request, ends.out_fd, ends.err_fd)) return "dup2";
  if (!enter_cgroups(&cell->cgroup)) return "entering the control group";
  if (!set_limits(cell, &request->limits)) return "setrlimit";
  setsid();
  reset_signals();
  if (chdir("box") < 0) return "chdir";
  if (!tell_start(ends.word_fd)) return "write";
  execv(request->argv[0], request->argv);
  if (is_no_program(request->argv[0])) refuse_to_start();
  return request->argv[0];
}

static _Noreturn void tell_failure(int word_fd, const char *step) {
  struct last_word word = {.failed = true};
  snprintf(word.what, sizeof word.what, "%s: %s", step, strerror(errno));
  _exit(write(word_fd, &word, sizeof word) < 0 ? 2 : 1);
}

struct beginning {
  const struct cell *cell;
  const struct request *request;
  struct ends ends;
};

static int begin(void *given) {
  const struct beginning *beginning = given;
  tell_failure(beginning->ends.word_fd, become_program(beginning->cell, beginning->request, beginning->ends));
}

static void make_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) < 0) fail("pipe2");
}

/*
 * Nobody waits for the program to begin: it left word of when that was, and it is looked at when it matters. A busy
 * machine may let us run long after.
 */
void learn_start(struct program *program) {
  struct last_word word;
  while (read(program->word_fd, &word, sizeof word) == (ssize_t)sizeof word) {
    if (word.failed) memcpy(program->failure, word.what, sizeof word.what);
    else program->started_us = word.started_us;
  }
}

/* Not captured where it leads into a pipe of the request: to the program's counterpart. */
static void make_stdout(const struct request *request, int ends[2]) {
  ends[0] = NO_FD;
  ends[1] = request->stdout_fd;
  if (ends[1] == NO_FD) make_pipe(ends);
}

void start_program(const struct cell *cell, const struct request *request, struct program *program) {
  int out[2], err[2], word[2];
  make_stdout(request, out);
  make_pipe(err);
  make_pipe(word);
  fcntl(word[0], F_SETFL, O_NONBLOCK);
  program->word_fd = word[0];
  if (request->relay_in_fd != NO_FD) tell_relay();
  program->started_us = now_us();
  program->pid = spawn(begin, &(struct beginning){cell, request, {out[1], err[1], word[1]}});
  if (program->pid < 0) fail("starting a process");
  forget_relay();
  close(request->stdin_fd);
  close(out[1]);
  close(err[1]);
  close(word[1]);
  open_output(&program->out, out[0], request->limits.output_bytes);
  open_output(&program->err, err[0], request->limits.output_bytes);
}

static int64_t microseconds(struct timeval time) { return (int64_t)time.tv_sec * 1000000 + time.tv_usec; }

void note_end(struct program *program, pid_t pid, int status, const struct rusage *rusage) {
  struct usage *usage = &program->usage;
  int64_t peak_bytes = (int64_t)rusage->ru_maxrss * 1024;
  usage->reaped_cpu_us += microseconds(rusage->ru_utime) + microseconds(rusage->ru_stime);
  if (usage->reaped_cpu_us > usage->cpu_us) usage->cpu_us = usage->reaped_cpu_us;
  raise_peak_memory(usage, peak_bytes, false);
  if (pid != program->pid) return;
  program->ended = true;
  program->status = status;
  program->ended_us = now_us();
}

void reap(struct program *program) {
  struct rusage rusage;
  int status;
  for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &rusage)) > 0;) note_end(program, pid, status, &rusage);
}
