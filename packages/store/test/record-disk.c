// Preloaded into a process, writes down in order what it does to the files under RECORD_DIR: the file RECORD_FILE
// gets one event after another as `kind u8, path length u32, path, offset u64, data length u32, data`. A write is
// noted after it was made, a sync before and after, so that no write is ever noted as covered by a sync that began
// before it.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
  CREATED = 1, WRITTEN, TRUNCATED, SYNC_BEGUN, SYNC_DONE, UNLINKED, RENAMED, LINKED, WRITTEN_DURABLY
};

#define MAX_FDS 4096
static char *paths[MAX_FDS];
static int durable[MAX_FDS];
static int appending[MAX_FDS];
static int out = -1;
static const char *root;
static size_t rootLength;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define NEXT(name) static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void start(void) {
  root = getenv("RECORD_DIR");
  const char *file = getenv("RECORD_FILE");
  if (!root || !file) { root = NULL; return; }
  rootLength = strlen(root);
  out = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *data, size_t length) {
  const char *at = data;
  while (length > 0) {
    long done = syscall(SYS_write, out, at, length);
    if (done <= 0) abort();
    at += done;
    length -= (size_t)done;
  }
}

static void note(uint8_t kind, const char *path, uint64_t offset, const void *data, uint32_t length) {
  uint32_t pathLength = (uint32_t)strlen(path);
  pthread_mutex_lock(&lock);
  put(&kind, 1);
  put(&pathLength, 4);
  put(path, pathLength);
  put(&offset, 8);
  put(&length, 4);
  put(data, length);
  pthread_mutex_unlock(&lock);
}

static int ours(const char *path) { return root && path && strncmp(path, root, rootLength) == 0; }
static const char *pathOf(int fd) { return fd >= 0 && fd < MAX_FDS ? paths[fd] : NULL; }

static int opened(int fd, const char *path, int flags, int existed) {
  if (fd < 0 || fd >= MAX_FDS || !ours(path)) return fd;
  paths[fd] = strdup(path);
  durable[fd] = (flags & O_DSYNC) != 0;
  appending[fd] = (flags & O_APPEND) != 0;
  if ((flags & O_CREAT) && !existed) note(CREATED, path, 0, "", 0);
  else if (flags & O_TRUNC) note(TRUNCATED, path, 0, "", 0);
  return fd;
}

static int exists(const char *path) {
  struct stat found;
  return stat(path, &found) == 0;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if ((flags) & O_CREAT) { va_list list; va_start(list, flags); mode = (mode_t)va_arg(list, int); va_end(list); }

int open(const char *path, int flags, ...) {
  NEXT(open); MODE(flags)
  int existed = ours(path) && exists(path);
  return opened(next(path, flags, mode), path, flags, existed);
}
int open64(const char *path, int flags, ...) {
  NEXT(open64); MODE(flags)
  int existed = ours(path) && exists(path);
  return opened(next(path, flags, mode), path, flags, existed);
}
int openat(int dir, const char *path, int flags, ...) {
  NEXT(openat); MODE(flags)
  int existed = ours(path) && exists(path);
  return opened(next(dir, path, flags, mode), path, flags, existed);
}
int openat64(int dir, const char *path, int flags, ...) {
  NEXT(openat64); MODE(flags)
  int existed = ours(path) && exists(path);
  return opened(next(dir, path, flags, mode), path, flags, existed);
}

int close(int fd) {
  NEXT(close);
  if (pathOf(fd)) { free(paths[fd]); paths[fd] = NULL; }
  return next(fd);
}

static void wrote(int fd, off_t offset, const void *data, ssize_t done) {
  if (done > 0 && pathOf(fd)) {
    note(durable[fd] ? WRITTEN_DURABLY : WRITTEN, paths[fd], (uint64_t)offset, data, (uint32_t)done);
  }
}
static void wroteParts(int fd, off_t offset, const struct iovec *parts, int count, ssize_t done) {
  for (int i = 0; i < count && done > 0; i += 1) {
    ssize_t size = (ssize_t)parts[i].iov_len < done ? (ssize_t)parts[i].iov_len : done;
    wrote(fd, offset, parts[i].iov_base, size);
    offset += size;
    done -= size;
  }
}
static off_t placeOf(int fd) {
  return lseek(fd, 0, appending[fd] ? SEEK_END : SEEK_CUR);
}

ssize_t write(int fd, const void *data, size_t length) {
  NEXT(write);
  off_t offset = pathOf(fd) ? placeOf(fd) : 0;
  ssize_t done = next(fd, data, length);
  wrote(fd, offset, data, done);
  return done;
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  NEXT(writev);
  off_t offset = pathOf(fd) ? placeOf(fd) : 0;
  ssize_t done = next(fd, parts, count);
  if (pathOf(fd)) wroteParts(fd, offset, parts, count, done);
  return done;
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  NEXT(pwrite);
  ssize_t done = next(fd, data, length, offset);
  wrote(fd, offset, data, done);
  return done;
}
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  NEXT(pwrite64);
  ssize_t done = next(fd, data, length, offset);
  wrote(fd, offset, data, done);
  return done;
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  NEXT(pwritev);
  ssize_t done = next(fd, parts, count, offset);
  if (pathOf(fd)) wroteParts(fd, offset, parts, count, done);
  return done;
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  NEXT(pwritev64);
  ssize_t done = next(fd, parts, count, offset);
  if (pathOf(fd)) wroteParts(fd, offset, parts, count, done);
  return done;
}

int fdatasync(int fd) {
  NEXT(fdatasync);
  const char *path = pathOf(fd);
  if (path) note(SYNC_BEGUN, path, (uint64_t)fd, "", 0);
  int failed = next(fd);
  if (path && !failed) note(SYNC_DONE, path, (uint64_t)fd, "", 0);
  return failed;
}
int fsync(int fd) {
  NEXT(fsync);
  const char *path = pathOf(fd);
  if (path) note(SYNC_BEGUN, path, (uint64_t)fd, "", 0);
  int failed = next(fd);
  if (path && !failed) note(SYNC_DONE, path, (uint64_t)fd, "", 0);
  return failed;
}

int ftruncate(int fd, off_t length) {
  NEXT(ftruncate);
  int failed = next(fd, length);
  if (!failed && pathOf(fd)) note(TRUNCATED, paths[fd], (uint64_t)length, "", 0);
  return failed;
}
int ftruncate64(int fd, off64_t length) {
  NEXT(ftruncate64);
  int failed = next(fd, length);
  if (!failed && pathOf(fd)) note(TRUNCATED, paths[fd], (uint64_t)length, "", 0);
  return failed;
}

int unlink(const char *path) {
  NEXT(unlink);
  int failed = next(path);
  if (!failed && ours(path)) note(UNLINKED, path, 0, "", 0);
  return failed;
}
int rename(const char *from, const char *to) {
  NEXT(rename);
  int failed = next(from, to);
  if (!failed && ours(from)) note(RENAMED, from, 0, to, (uint32_t)strlen(to));
  return failed;
}
int link(const char *from, const char *to) {
  NEXT(link);
  int failed = next(from, to);
  if (!failed && ours(from)) note(LINKED, from, 0, to, (uint32_t)strlen(to));
  return failed;
}
