/*
 * What the live processes of the sandbox use, read from /proc: for machines without control groups.
 * What /proc does not show of them is counted elsewhere: shared memory without a file in reported-calls.c, times of
 * children that nobody waited for in cpu.c, files in disk.c.
 */
#include "runner.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096 };
/* Numbers of the columns of /proc/PID/stat, counted from the one behind the name. */
enum { PARENT = 1, USER_TIME = 11, SYSTEM_TIME, CHILDREN_USER_TIME, CHILDREN_SYSTEM_TIME };
enum { THREADS = 17, VIRTUAL_BYTES = 20, RESIDENT_PAGES, COLUMNS };
/* ROUGH is never too little but for what is swapped out, and costs nothing beside the times. */
enum precision { ROUGH, EXACT, PROPORTIONAL };
enum { TABLE_SHARE = 512 };
enum { MOST_DESCENDANTS = 1024, MOST_PROCESSES = 32768 };

static bool read_process_file(const char *pid, const char *name, char text[TEXT_BYTES]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%.16s/%s", pid, name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t length = read(fd, text, TEXT_BYTES - 1);
  close(fd);
  if (length <= 0) return false;
  text[length] = '\0';
  return true;
}

/* The name of a process may hold blanks and brackets; the last bracket ends it. */
static bool read_columns(const char *pid, int64_t columns[COLUMNS]) {
  char text[TEXT_BYTES];
  if (!read_process_file(pid, "stat", text)) return false;
  char *at = strrchr(text, ')');
  if (!at || at[1] != ' ' || !at[2]) return false;
  at += 3;
  columns[0] = 0;
  for (int i = 1; i < COLUMNS; i++) columns[i] = strtoll(at, &at, 10);
  return true;
}

/* The number behind `\nName:`, in bytes; 0 where there is none. */
static int64_t kilobytes(const char *text, const char *name) {
  char *line = strstr(text, name);
  return line ? strtoll(line + strlen(name), NULL, 10) * 1024 : 0;
}

/* The first thread of a process may have ended, and shows no memory then, while others go on. */
static bool read_memory(const char *pid, char text[TEXT_BYTES]) {
  char path[64], thread[64];
  if (read_process_file(pid, "status", text) && strstr(text, "\nVmRSS:")) return true;
  snprintf(path, sizeof path, "/proc/%.16s/task", pid);
  DIR *threads = opendir(path);
  bool found = false;
  if (!threads) return false;
  for (struct dirent *entry; !found && (entry = readdir(threads));) {
    snprintf(thread, sizeof thread, "task/%.16s/status", entry->d_name);
    found = isdigit((unsigned char)entry->d_name[0]) && read_process_file(pid, thread, text) &&
            strstr(text, "\nVmRSS:");
  }
  closedir(threads);
  return found;
}

/*
 * The tables of a process count: touching memory only to read it fills nothing else. Shared memory does not where it
 * is counted as files and by reported-calls.c.
 */
static int64_t memory_of(const struct cell *cell, const char *pid, enum precision precision, struct sums *sums) {
  char text[TEXT_BYTES];
  bool has_shared = cell->reports_fd == NO_FD;
  if (!read_memory(pid, text)) return 0;
  int64_t tables = kilobytes(text, "\nVmPTE:");
  int64_t resident = kilobytes(text, "\nVmRSS:") + kilobytes(text, "\nVmSwap:");
  if (!has_shared) resident -= kilobytes(text, "\nRssShmem:");
  if (precision != PROPORTIONAL) return resident + tables;
  /* Pages that several processes share are counted once here, which costs more than the plain sum. */
  if (!read_process_file(pid, "smaps_rollup", text)) {
    /* It forbade us to read (PR_SET_DUMPABLE): what it shares with others counts with each. */
    sums->memory_is_upper_bound |= errno == EACCES || errno == EPERM;
    return resident + tables;
  }
  int64_t part = kilobytes(text, "\nPss:") + kilobytes(text, "\nSwapPss:");
  if (!has_shared) part -= kilobytes(text, "\nPss_Shmem:");
  return part + tables;
}

/* Each page has eight bytes in a table. A first thread that has ended shows nothing of what the others have. */
static int64_t rough_memory(const struct cell *cell, const char *pid, const int64_t columns[COLUMNS],
                            struct sums *sums) {
  if (columns[RESIDENT_PAGES] == 0 && columns[THREADS] > 1) return memory_of(cell, pid, EXACT, sums);
  return columns[RESIDENT_PAGES] * sysconf(_SC_PAGESIZE) + columns[VIRTUAL_BYTES] / TABLE_SHARE;
}

static void add_process(const struct cell *cell, const char *pid, enum precision precision, struct sums *sums) {
  static const int64_t us_per_second = 1000000;
  int64_t columns[COLUMNS];
  if (!read_columns(pid, columns)) return;
  for (int i = USER_TIME; i <= CHILDREN_SYSTEM_TIME; i++)
    sums->cpu_us += columns[i] * us_per_second / sysconf(_SC_CLK_TCK);
  sums->memory_bytes +=
      precision == ROUGH ? rough_memory(cell, pid, columns, sums) : memory_of(cell, pid, precision, sums);
  sums->processes++;
  sums->threads += (int)columns[THREADS];
}

/* Of a process without visible mappings: whether it has some. One that ended has none, and neither has its number. */
bool has_more_to_show(const char *pid, bool could_read) {
  int64_t columns[COLUMNS];
  return read_columns(pid, columns) && (!could_read || columns[THREADS] > 1);
}

/* By their real user, as the kernel counts them; of those of other users /proc tells no less. */
int64_t threads_of_our_user(void) {
  DIR *processes = opendir("/proc");
  int64_t threads = 0;
  if (!processes) return 0;
  for (struct dirent *entry; (entry = readdir(processes));) {
    struct stat info;
    int64_t columns[COLUMNS];
    bool is_process = isdigit((unsigned char)entry->d_name[0]) != 0;
    if (!is_process || fstatat(dirfd(processes), entry->d_name, &info, 0) < 0 || info.st_uid != getuid()) continue;
    if (read_columns(entry->d_name, columns)) threads += columns[THREADS];
  }
  closedir(processes);
  return threads;
}

static void add_all_but_us(const struct cell *cell, enum precision precision, struct sums *sums) {
  DIR *processes = opendir("/proc");
  if (!processes) return;
  for (struct dirent *entry; (entry = readdir(processes));) {
    bool is_process = isdigit((unsigned char)entry->d_name[0]) && strcmp(entry->d_name, "1") != 0;
    if (is_process) add_process(cell, entry->d_name, precision, sums);
  }
  closedir(processes);
}

static void add_descendants(const struct cell *cell, enum precision precision, struct sums *sums) {
  pid_t pids[MOST_DESCENDANTS];
  char name[16];
  int count = find_descendants(pids, MOST_DESCENDANTS);
  for (int i = 0; i < count; i++) {
    snprintf(name, sizeof name, "%d", pids[i]);
    add_process(cell, name, precision, sums);
  }
}

static struct sums sum_processes(const struct cell *cell, enum precision precision) {
  struct sums sums = {0};
  if (cell->owns_namespace) add_all_but_us(cell, precision, &sums);
  else add_descendants(cell, precision, &sums);
  return sums;
}

static bool has_swap(void) {
  struct sysinfo info;
  return sysinfo(&info) < 0 || info.totalswap > 0;
}

/* The dear sums are taken only where they could tell something new. */
void measure_live_processes(const struct cell *cell, struct usage *usage, int64_t other_bytes, struct sums *sums) {
  *sums = sum_processes(cell, ROUGH);
  int64_t rough_bytes = sums->memory_bytes + other_bytes;
  sums->memory_bytes = 0;
  if (rough_bytes <= usage->rough_peak_bytes && rough_bytes <= usage->memory_limit_bytes && !has_swap()) return;
  if (rough_bytes > usage->rough_peak_bytes) usage->rough_peak_bytes = rough_bytes;
  sums->memory_bytes = sum_processes(cell, EXACT).memory_bytes;
  if (sums->processes > 1 && sums->memory_bytes + other_bytes > usage->peak_memory_bytes) {
    struct sums proportional = sum_processes(cell, PROPORTIONAL);
    sums->memory_bytes = proportional.memory_bytes;
    sums->memory_is_upper_bound = proportional.memory_is_upper_bound;
  }
  sums->memory_bytes += other_bytes;
}

struct family {
  pid_t pid, parent;
};

static int read_families(struct family *families, int capacity) {
  DIR *processes = opendir("/proc");
  int count = 0;
  if (!processes) return 0;
  for (struct dirent *entry; count < capacity && (entry = readdir(processes));) {
    int64_t columns[COLUMNS];
    if (!isdigit((unsigned char)entry->d_name[0]) || !read_columns(entry->d_name, columns)) continue;
    families[count++] = (struct family){atoi(entry->d_name), (pid_t)columns[PARENT]};
  }
  closedir(processes);
  return count;
}

static bool holds(const pid_t *pids, int count, pid_t pid) {
  for (int i = 0; i < count; i++)
    if (pids[i] == pid) return true;
  return false;
}

/* A child may have a smaller number than its parent, so the table is gone through until nothing is added. */
int find_descendants(pid_t *pids, int capacity) {
  static struct family families[MOST_PROCESSES];
  int all = read_families(families, MOST_PROCESSES), found = 0;
  for (int before = -1; before != found;) {
    before = found;
    for (int i = 0; i < all && found < capacity; i++) {
      bool is_ours = families[i].parent == getpid() || holds(pids, found, families[i].parent);
      if (is_ours && !holds(pids, found, families[i].pid)) pids[found++] = families[i].pid;
    }
  }
  return found;
}
