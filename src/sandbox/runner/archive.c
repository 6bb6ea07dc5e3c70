/*
 * The working folder as an archive: records of `name length` and that many bytes, which src/core/folder-archive.ts
 * describes. Folders and regular files only, with names in UTF-8; links, pipes and the like are left out, so that
 * nothing in it can lead elsewhere when it is used again. No process is alive meanwhile.
 */
#include "runner.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is deeper or has more entries than any honest program makes counts as too large. */
enum { MOST_DEPTH = 64, MOST_ENTRIES = 50000, PATH_BYTES = 3500 };

struct walk {
  bool writes;
  int64_t bytes, entries;
  bool too_large;
  char path[PATH_BYTES + 1];
};

static bool is_utf8(const char *text) {
  for (const unsigned char *at = (const unsigned char *)text; *at;) {
    int more = *at < 0x80 ? 0 : *at >= 0xc2 && *at < 0xe0 ? 1 : *at >= 0xe0 && *at < 0xf0 ? 2 : *at < 0xf5 ? 3 : -1;
    if (more < 0 || (more == 3 && *at < 0xf0) || (*at >= 0x80 && *at < 0xc2)) return false;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f)) return false;
    if ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f)) return false;
    at++;
    for (; more > 0; more--, at++)
      if ((*at & 0xc0) != 0x80) return false;
  }
  return true;
}

static void add_bytes(struct walk *walk, const char *bytes, size_t length) {
  walk->bytes += (int64_t)length;
  if (walk->writes) put(bytes, length);
}

static void add_head(struct walk *walk, const char *name, int64_t length) {
  char line[NAME_BYTES + 24];
  int count = snprintf(line, sizeof line, "%s %" PRId64 "\n", name, length);
  add_bytes(walk, line, (size_t)count);
}

static void add_text(struct walk *walk, const char *name, const char *text) {
  add_head(walk, name, (int64_t)strlen(text));
  add_bytes(walk, text, strlen(text));
}

static void add_file(struct walk *walk, int parent, const char *name, const struct stat *info) {
  add_text(walk, "path", walk->path);
  add_head(walk, info->st_mode & 0100 ? "executable" : "file", info->st_size);
  if (!walk->writes) {
    walk->bytes += info->st_size;
    return;
  }
  if (!(info->st_mode & 0400)) fchmodat(parent, name, info->st_mode | 0400, 0);
  int fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) _exit(5);
  put_file(fd, info->st_size);
  close(fd);
}

static void add_folder(struct walk *walk, int parent, const char *name, int depth);

static void add_entry(struct walk *walk, int parent, const char *name, int depth) {
  struct stat info;
  size_t before = strlen(walk->path);
  bool fits = before + strlen(name) + 1 < PATH_BYTES;
  if (!fits || !is_utf8(name) || fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) < 0) return;
  if (++walk->entries > MOST_ENTRIES) walk->too_large = true;
  snprintf(walk->path + before, sizeof walk->path - before, "%s%s", before ? "/" : "", name);
  if (S_ISREG(info.st_mode)) add_file(walk, parent, name, &info);
  else if (S_ISDIR(info.st_mode)) {
    add_text(walk, "folder", walk->path);
    add_folder(walk, parent, name, depth + 1);
  }
  walk->path[before] = '\0';
}

static void add_folder(struct walk *walk, int parent, const char *name, int depth) {
  if (depth > MOST_DEPTH) walk->too_large = true;
  if (walk->too_large || fchmodat(parent, name, 0700, 0) < 0) return;
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = fd < 0 ? NULL : fdopendir(fd);
  if (!folder) return;
  for (struct dirent *entry; !walk->too_large && (entry = readdir(folder));)
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) add_entry(walk, fd, entry->d_name, depth);
  closedir(folder);
}

static struct walk walk_box(bool writes) {
  struct walk walk = {.writes = writes};
  struct stat info;
  /* A program may have put something else in its place. */
  if (fstatat(AT_FDCWD, "box", &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode))
    add_folder(&walk, AT_FDCWD, "box", 0);
  add_head(&walk, "end", 0);
  return walk;
}

int64_t measure_archive(int64_t most_bytes) {
  struct walk walk = walk_box(false);
  return walk.too_large && walk.bytes <= most_bytes ? most_bytes + 1 : walk.bytes;
}

void write_archive(void) { walk_box(true); }
