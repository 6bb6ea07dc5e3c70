/*
 * The scratch folder between two programs: everything in it goes, whatever its permissions and however deep it lies,
 * and its own attributes are set back, so that a program finds nothing of the one before it.
 * No process is alive meanwhile, so nothing moves under our hands.
 */
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { ATTRIBUTE_NAMES_BYTES = 65536 };
static const char *const folders[] = {"box", "tmp", "shm"};

static int top_fd = NO_FD;

int scratch_fd(void) { return top_fd; }

static void make_folders(void) {
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (mkdir(folders[i], 0755) < 0 && errno != EEXIST) fail(folders[i]);
}

/* Held open, because a program may close it to all paths. */
void make_scratch(void) {
  top_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (top_fd < 0) fail("opening the scratch folder");
  make_folders();
}

void open_up_scratch(void) {
  if (fchmod(top_fd, 0755) < 0) fail("opening up the scratch folder");
}

static bool is_dot(const char *name) { return !strcmp(name, ".") || !strcmp(name, ".."); }

static DIR *open_folder(int parent, const char *name) {
  if (fchmodat(parent, name, 0700, 0) < 0) fail("opening up a folder that a program left");
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = fd < 0 ? NULL : fdopendir(fd);
  if (!folder) fail("opening a folder that a program left");
  return folder;
}

/* A folder within is moved up beside it and waits for its turn: depth costs neither stack nor open files. */
static void move_up(int from, const char *name, int top) {
  static uint64_t moved;
  char there[32];
  if (fchmodat(from, name, 0700, 0) < 0) fail("opening up a folder that a program left");
  do snprintf(there, sizeof there, ".left-%llu", (unsigned long long)moved++);
  while (faccessat(top, there, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
  if (renameat(from, name, top, there) < 0) fail("moving a folder that a program left");
}

static void empty_folder(int top, const char *name) {
  DIR *folder = open_folder(top, name);
  for (bool found = true; found;) {
    found = false;
    rewinddir(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
      if (is_dot(entry->d_name)) continue;
      found = true;
      if (unlinkat(dirfd(folder), entry->d_name, 0) == 0) continue;
      if (errno != EISDIR && errno != EPERM) fail("deleting a file that a program left");
      if (unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR) < 0) move_up(dirfd(folder), entry->d_name, top);
    }
  }
  closedir(folder);
  if (unlinkat(top, name, AT_REMOVEDIR) < 0) fail("deleting a folder that a program left");
}

/* True where there was anything. */
static bool empty_top(DIR *top) {
  bool found = false;
  rewinddir(top);
  for (struct dirent *entry; (entry = readdir(top));) {
    if (is_dot(entry->d_name)) continue;
    found = true;
    if (unlinkat(dirfd(top), entry->d_name, 0) == 0) continue;
    if (errno != EISDIR && errno != EPERM) fail("deleting a file that a program left");
    if (unlinkat(dirfd(top), entry->d_name, AT_REMOVEDIR) < 0) empty_folder(dirfd(top), entry->d_name);
  }
  return found;
}

/* The folder itself stays, and could carry word to the next program. */
static void set_back_attributes(int top) {
  static char names[ATTRIBUTE_NAMES_BYTES];
  struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
  int flags = 0;
  ssize_t length = flistxattr(top, names, sizeof names);
  for (char *name = names; length > 0 && name < names + length; name += strlen(name) + 1) fremovexattr(top, name);
  if (ioctl(top, FS_IOC_GETFLAGS, &flags) == 0 && flags != 0) {
    flags = 0;
    ioctl(top, FS_IOC_SETFLAGS, &flags);
  }
  if (futimens(top, now) < 0) fail("setting back the scratch folder");
}

void empty_scratch(void) {
  open_up_scratch();
  DIR *top = opendir(".");
  if (!top) fail("opening the scratch folder");
  while (empty_top(top)) continue;
  make_folders();
  set_back_attributes(top_fd);
  closedir(top);
}
