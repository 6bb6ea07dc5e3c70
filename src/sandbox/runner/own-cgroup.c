/*
 * The control group that an engine made for its container, as one sees it from inside: what it tells of kills and
 * refusals is evidence for a verdict. We are in it ourselves, so what it counts of time and memory is not the
 * program's alone, and is left aside.
 */
#include "runner.h"

#include <fcntl.h>

static int open_first(const char *version2, const char *version1) {
  int fd = open(version2, O_RDONLY | O_CLOEXEC);
  return fd >= 0 ? fd : open(version1, O_RDONLY | O_CLOEXEC);
}

/* What is not there stays NO_FD: an engine without root may have no groups to give. */
void open_own_cgroup(struct cgroup *cgroup) {
  cgroup->memory_events_fd = open_first("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control");
  cgroup->pids_events_fd = open_first("/sys/fs/cgroup/pids.events", "/sys/fs/cgroup/pids/pids.events");
}
