/** Programs that hide what they use, imitate the end that a limit brings, or watch others: one program, a case each. */
import { describe, expect, test } from 'vitest';
import { type Bench, mebibyte } from '../bench.ts';

const source = `
#include <cstdio>
#include <cstdlib>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
const size_t much = 400u << 20;
void touch(volatile char *at, size_t bytes) { for (size_t i = 0; i < bytes; i += 4096) at[i] = 1; }
void burn() { for (clock_t end = clock() + CLOCKS_PER_SEC / 250; clock() < end;) {} _exit(0); }
void ignore(void (*how)(int), int flags) { struct sigaction action = {}; action.sa_handler = how; action.sa_flags = flags; sigaction(SIGCHLD, &action, nullptr); }
int main(int, char **argv) {
  const char *what = argv[1];
  if (!strcmp(what, "unmapped")) for (int n = 0; n < 8; n++) {
    char *at = (char *)mmap(nullptr, much / 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    touch(at, much / 8); madvise(at, much / 8, MADV_DONTNEED);
  }
  if (!strcmp(what, "zero")) {
    int fd = open("/dev/zero", O_RDWR);
    void *at = mmap(nullptr, much, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) return 7;
    touch((char *)at, much); madvise(at, much, MADV_DONTNEED);
  }
  if (!strcmp(what, "memfd")) {
    int fd = (int)syscall(SYS_memfd_create, "x", 0);
    if (fd < 0 || ftruncate(fd, much)) return 7;
    char *at = (char *)mmap(nullptr, much, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    touch(at, much); munmap(at, much);
  }
  if (!strcmp(what, "tables")) {
    size_t wide = 300ull << 30;
    volatile char *at = (char *)mmap(nullptr, wide, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise((void *)at, wide, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < wide; i += 2 << 20) (void)at[i];
  }
  if (!strcmp(what, "leader")) {
    std::thread([] { usleep(30000); touch((char *)malloc(much), much); }).detach();
    syscall(SYS_exit, 0);
  }
  if (!strcmp(what, "sockets")) for (int ends[2]; !socketpair(AF_UNIX, SOCK_STREAM, 0, ends);) {
    static char bytes[65536];
    while (send(ends[0], bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
  }
  if (!strcmp(what, "ignored")) { ignore(SIG_IGN, 0); for (;; usleep(500)) if (fork() == 0) burn(); }
  if (!strcmp(what, "nowait")) { ignore(SIG_DFL, SA_NOCLDWAIT); for (;; usleep(500)) if (fork() == 0) burn(); }
  if (!strcmp(what, "daemons")) { ignore(SIG_IGN, 0); for (;; usleep(500)) if (fork() == 0) { setsid(); if (fork() == 0) burn(); _exit(0); } }
  if (!strcmp(what, "watch")) {
    int folder = open("/usr/bin", O_RDONLY), file = open("/usr/bin/env", O_RDONLY);
    printf("%d %d %d %d", inotify_init1(0), fcntl(folder, F_NOTIFY, DN_ACCESS), fcntl(file, F_SETLEASE, F_RDLCK), flock(file, LOCK_EX | LOCK_NB));
    return 0;
  }
  if (!strcmp(what, "signal")) raise(atoi(argv[2]));
  pause();
}`;

const hidden = [
  ['unmapped', 'memory'],
  ['memfd', 'exit'],
  ['leader', 'memory'],
  ['ignored', 'cpu'],
  ['nowait', 'cpu'],
  ['daemons', 'cpu'],
  // The last: a control group gives its pages back when the next program runs already.
  ['tables', 'memory'],
] as const;
const signals = { SIGXFSZ: 25, SIGXCPU: 24, SIGKILL: 9, SIGABRT: 6 };

export function hiddenUseTests({ sandbox, isolates }: Bench): void {
  const play = async (cases: readonly (readonly string[])[], openFiles = 1024) => {
    const ended: string[] = [];
    await sandbox.batch(
      {
        program: { language: 'cpp', source },
        cases: cases.map((args) => ({ name: args.join(' '), args })),
        workers: 1,
        limits: { memoryBytes: 96 * mebibyte, diskBytes: mebibyte, cpuMs: 300, openFiles },
      },
      ({ name, step }) => {
        ended.push(`${name}: ${step.verdict} ${step.signal ?? ''} ${step.stdout.text}`.trim());
      },
      new AbortController().signal,
    );
    return ended;
  };

  describe('what they hide or imitate', () => {
    test('a signal that a program sends itself is no limit', async () => {
      const cases = Object.entries(signals);
      expect(await play(cases.map(([, number]) => ['signal', `${number}`]))).toEqual(
        cases.map(([name, number]) => `signal ${number}: signal ${name}`),
      );
    });

    if (!isolates) return;

    test('memory and CPU time that no process shows are counted', async () => {
      const ended = await play(hidden.map(([name]) => [name]));
      expect(ended.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
        hidden.map(([name, verdict]) => `${name}: ${verdict}`),
      );
    });

    test('buffers of many sockets are counted; a mapping of /dev/zero is, or there is none', async () => {
      const [sockets, zero] = await play([['sockets'], ['zero']], 4096);
      expect(sockets).toMatch(/^sockets: memory/);
      expect(zero).toMatch(/^zero: (?:memory|exit)/);
    });

    test('no notice of what others open, and no lock on what they use', async () => {
      expect(await play([['watch']])).toEqual(['watch: ok  -1 -1 -1 -1']);
    });
  });
}
