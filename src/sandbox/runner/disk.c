/*
 * What the program has written below the scratch folder: as its file system tells, where that is our own; else by
 * looking at each file.
 */
#include "runner.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* What an empty file costs the kernel, roughly: a program can fill the memory with names alone. */
enum { INODE_BYTES = 1024, BLOCK_BYTES = 512, FOLDERS_OPEN_AT_ONCE = 16, MOST_BALLAST_BYTES = 2 << 20 };

static int64_t seen_bytes;

static int add_file(const char *path, const struct stat *info, int kind, struct FTW *place) {
  (void)path, (void)kind, (void)place;
  seen_bytes += INODE_BYTES + (int64_t)info->st_blocks * BLOCK_BYTES;
  return 0;
}

static int64_t bytes_by_looking(void) {
  seen_bytes = 0;
  nftw(".", add_file, FOLDERS_OPEN_AT_ONCE, FTW_PHYS);
  return seen_bytes;
}

void start_disk(const struct cell *cell, struct usage *usage) {
  struct statvfs disk;
  if (!cell->owns_namespace) {
    usage->disk_baseline_bytes = bytes_by_looking();
    return;
  }
  if (fstatvfs(scratch_fd(), &disk) < 0) fail("statvfs");
  usage->disk_baseline_bytes = (int64_t)(disk.f_blocks - disk.f_bfree) * (int64_t)disk.f_frsize;
  usage->inodes_baseline = (int64_t)(disk.f_files - disk.f_ffree);
}

void sample_disk(const struct cell *cell, struct usage *usage) {
  struct statvfs disk;
  if (!cell->owns_namespace) {
    usage->disk_bytes = bytes_by_looking() - usage->disk_baseline_bytes;
    return;
  }
  if (fstatvfs(scratch_fd(), &disk) < 0) return;
  int64_t used = (int64_t)(disk.f_blocks - disk.f_bfree) * (int64_t)disk.f_frsize - usage->disk_baseline_bytes;
  int64_t names = ((int64_t)(disk.f_files - disk.f_ffree) - usage->inodes_baseline) * INODE_BYTES;
  usage->disk_bytes = used > names ? used : names;
  if (disk.f_bfree == 0) usage->disk_was_full = true;
}

/*
 * A container's file system is rounded up, so that others find it fit. What is beyond the limit of the program that
 * runs now is taken up by a file without a name, so that it sees the end of the disk where its limit is.
 */
static int ballast_fd = NO_FD;

void take_up_spare_disk(const struct limits *limits) {
  struct statvfs disk;
  if (fstatvfs(scratch_fd(), &disk) < 0) fail("statvfs");
  int64_t page = (int64_t)disk.f_frsize, pages = (limits->disk_bytes + page - 1) / page;
  int64_t spare = ((int64_t)disk.f_bfree - pages) * page;
  if (spare <= 0 || spare > MOST_BALLAST_BYTES) return;
  ballast_fd = open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  /* Without it the watch ends the program at its limit. */
  if (ballast_fd != NO_FD && fallocate(ballast_fd, 0, 0, spare) < 0) drop_ballast();
}

void drop_ballast(void) {
  if (ballast_fd != NO_FD) close(ballast_fd);
  ballast_fd = NO_FD;
}
