// Preloaded into the store: appends every write and sync of the file named by RECORDED to the log named by WRITE_LOG, in the order they were made.
// One entry: kind, offset and length (64 bits each), then the bytes. Kinds: 'w' written, 'd' the write before it is on disk (O_DSYNC),
// 'b' a sync begins, 'e' it ended, 't' the file got a new length.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FILES 65536
enum { OTHER = 0, RECORDED = 1, RECORDED_DSYNC = 2 };
static unsigned char files[MOST_FILES];
static int log_file = -1;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int kind_of(int file) { return file >= 0 && file < MOST_FILES ? files[file] : OTHER; }

static void note(uint64_t kind, uint64_t offset, uint64_t length, const void *bytes) {
  uint64_t head[3] = {kind, offset, length};
  struct iovec parts[2] = {{head, sizeof head}, {(void *)bytes, length}};
  if (REAL(writev)(log_file, parts, length ? 2 : 1) != (ssize_t)(sizeof head + length)) abort();
}

static int opened(int file, const char *path, int flags) {
  const char *wanted = getenv("RECORDED");
  if (file < 0 || file >= MOST_FILES) return file;
  files[file] = OTHER;
  if (!wanted || strcmp(path, wanted) || (flags & O_ACCMODE) == O_RDONLY) return file;
  pthread_mutex_lock(&one_at_a_time);
  if (log_file < 0) log_file = REAL(open64)(getenv("WRITE_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  pthread_mutex_unlock(&one_at_a_time);
  files[file] = flags & O_DSYNC ? RECORDED_DSYNC : RECORDED;
  return file;
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return opened(REAL(open64)(path, flags, mode), path, flags);
}

int close(int file) {
  if (file >= 0 && file < MOST_FILES) files[file] = OTHER;
  return REAL(close)(file);
}

static ssize_t noted(int file, ssize_t done, off64_t offset, const void *bytes) {
  if (done > 0) note('w', offset, done, bytes);
  if (done > 0 && kind_of(file) == RECORDED_DSYNC) note('d', offset, 0, NULL);
  return done;
}

static off64_t place_before(int file, ssize_t done) { return lseek64(file, 0, SEEK_CUR) - done; }

// A write and its entry are one step, so that the log has the order of the file.
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  if (kind_of(file) == OTHER) return REAL(pwrite64)(file, bytes, length, offset);
  pthread_mutex_lock(&one_at_a_time);
  ssize_t done = noted(file, REAL(pwrite64)(file, bytes, length, offset), offset, bytes);
  pthread_mutex_unlock(&one_at_a_time);
  return done;
}

ssize_t write(int file, const void *bytes, size_t length) {
  if (kind_of(file) == OTHER) return REAL(write)(file, bytes, length);
  pthread_mutex_lock(&one_at_a_time);
  ssize_t done = REAL(write)(file, bytes, length);
  noted(file, done, place_before(file, done), bytes);
  pthread_mutex_unlock(&one_at_a_time);
  return done;
}

static char *joined(const struct iovec *parts, int count) {
  size_t length = 0, at = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  char *bytes = malloc(length);
  for (int i = 0; i < count; at += parts[i++].iov_len) memcpy(bytes + at, parts[i].iov_base, parts[i].iov_len);
  return bytes;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  if (kind_of(file) == OTHER) return REAL(writev)(file, parts, count);
  pthread_mutex_lock(&one_at_a_time);
  char *bytes = joined(parts, count);
  ssize_t done = REAL(writev)(file, parts, count);
  noted(file, done, place_before(file, done), bytes);
  free(bytes);
  pthread_mutex_unlock(&one_at_a_time);
  return done;
}

static int recorded_sync(int file, int (*sync)(int)) {
  if (kind_of(file) == OTHER) return sync(file);
  pthread_mutex_lock(&one_at_a_time);
  note('b', 0, 0, NULL);
  pthread_mutex_unlock(&one_at_a_time);
  int result = sync(file);
  pthread_mutex_lock(&one_at_a_time);
  if (result == 0) note('e', 0, 0, NULL);
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

int fdatasync(int file) { return recorded_sync(file, REAL(fdatasync)); }
int fsync(int file) { return recorded_sync(file, REAL(fsync)); }

int ftruncate64(int file, off64_t length) {
  int result = REAL(ftruncate64)(file, length);
  if (result == 0 && kind_of(file) != OTHER) {
    pthread_mutex_lock(&one_at_a_time);
    note('t', length, 0, NULL);
    pthread_mutex_unlock(&one_at_a_time);
  }
  return result;
}
