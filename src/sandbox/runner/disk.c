/*
 * What the program has written below the scratch folder: as its file system tells, where that is our own; else by
 * looking at each file.
 */
#include "runner.h"

#include <ftw.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* What an empty file costs the kernel, roughly: a program can fill the memory with names alone. */
enum { INODE_BYTES = 1024, BLOCK_BYTES = 512, FOLDERS_OPEN_AT_ONCE = 16 };

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
