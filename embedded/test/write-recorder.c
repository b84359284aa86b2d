// Preloaded into the store: appends every write and sync of store.mdb and of the journal in the folder RECORDED to the log named by WRITE_LOG, in the order
// they were made. One entry: kind and file, offset and length (64 bits each), then the bytes. Files: 0 the data file, 1 the journal. Kinds: 'w' written,
// 'd' the write before it is on disk (O_DSYNC), 'b' a sync begins and 'e' it ended (its number as the offset), 't' the file got a new length.
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
static const char *const NAMES[] = {"store.mdb", "journal"};
enum { OTHER = 0, DSYNC = 128 };
// For each open file the number of its name, from 1 on, and whether it was opened with O_DSYNC.
static unsigned char files[MOST_FILES];
static uint64_t syncs;
static int log_file = -1;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int kind_of(int file) { return file >= 0 && file < MOST_FILES ? files[file] : OTHER; }

static void note(char kind, int file, uint64_t offset, uint64_t length, const void *bytes) {
  uint64_t head[3] = {kind | ((files[file] & ~DSYNC) - 1) << 8, offset, length};
  struct iovec parts[2] = {{head, sizeof head}, {(void *)bytes, length}};
  if (REAL(writev)(log_file, parts, length ? 2 : 1) != (ssize_t)(sizeof head + length)) abort();
}

static int name_of(const char *path) {
  const char *folder = getenv("RECORDED");
  size_t length = folder ? strlen(folder) : 0;
  if (!folder || strncmp(path, folder, length) || path[length] != '/') return OTHER;
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (!strcmp(path + length + 1, NAMES[i])) return i + 1;
  // It gets its name when it is whole; a cut before that shows it too early, which it must bear as well.
  if (!strcmp(path + length + 1, "journal.part")) return 2;
  return OTHER;
}

static int opened(int file, const char *path, int flags) {
  if (file < 0 || file >= MOST_FILES) return file;
  files[file] = OTHER;
  int name = (flags & O_ACCMODE) == O_RDONLY ? OTHER : name_of(path);
  if (name == OTHER) return file;
  pthread_mutex_lock(&one_at_a_time);
  if (log_file < 0) log_file = REAL(open64)(getenv("WRITE_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  pthread_mutex_unlock(&one_at_a_time);
  files[file] = flags & O_DSYNC ? name | DSYNC : name;
  return file;
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return opened(REAL(open64)(path, flags, mode), path, flags);
}

int open(const char *path, int flags, ...) {
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
  if (done > 0) note('w', file, offset, done, bytes);
  if (done > 0 && kind_of(file) & DSYNC) note('d', file, offset, 0, NULL);
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
  uint64_t number = ++syncs;
  note('b', file, number, 0, NULL);
  pthread_mutex_unlock(&one_at_a_time);
  int result = sync(file);
  pthread_mutex_lock(&one_at_a_time);
  if (result == 0) note('e', file, number, 0, NULL);
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

int fdatasync(int file) { return recorded_sync(file, REAL(fdatasync)); }
int fsync(int file) { return recorded_sync(file, REAL(fsync)); }

int ftruncate64(int file, off64_t length) {
  int result = REAL(ftruncate64)(file, length);
  if (result == 0 && kind_of(file) != OTHER) {
    pthread_mutex_lock(&one_at_a_time);
    note('t', file, length, 0, NULL);
    pthread_mutex_unlock(&one_at_a_time);
  }
  return result;
}
