// Preloaded into the store: appends every write and sync of store.mdb and of the journal in the folder RECORDED to the
// log named by WRITE_LOG, in order. An entry consists of kind and file, offset and length (64 bits each), and the bytes.
// Files: 0 the data file, 1 the journal. Kinds: 'w' write, 'd' the preceding write is durable (O_DSYNC), 'b' begin and
// 'e' end of a sync (its number as the offset), 't' truncate (the new length as the offset).
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

#define MAX_FILES 65536
static const char *const NAMES[] = {"store.mdb", "journal"};
enum { OTHER = 0, DSYNC = 128 };
// For each open file: the number of its name, from 1, and whether it was opened with O_DSYNC.
static unsigned char files[MAX_FILES];
static uint64_t syncs;
static int log_file = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int kind_of(int file) { return file >= 0 && file < MAX_FILES ? files[file] : OTHER; }

static void append_entry(char kind, int file, uint64_t offset, uint64_t length, const void *bytes) {
  uint64_t head[3] = {kind | ((files[file] & ~DSYNC) - 1) << 8, offset, length};
  struct iovec parts[2] = {{head, sizeof head}, {(void *)bytes, length}};
  if (REAL(writev)(log_file, parts, length ? 2 : 1) != (ssize_t)(sizeof head + length)) abort();
}

static int file_number(const char *path) {
  const char *folder = getenv("RECORDED");
  size_t length = folder ? strlen(folder) : 0;
  if (!folder || strncmp(path, folder, length) || path[length] != '/') return OTHER;
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (!strcmp(path + length + 1, NAMES[i])) return i + 1;
  // The journal is renamed when it is complete. The log shows it under its final name earlier, which must be harmless.
  if (!strcmp(path + length + 1, "journal.part")) return 2;
  return OTHER;
}

static int track_open(int file, const char *path, int flags) {
  if (file < 0 || file >= MAX_FILES) return file;
  files[file] = OTHER;
  int name = (flags & O_ACCMODE) == O_RDONLY ? OTHER : file_number(path);
  if (name == OTHER) return file;
  pthread_mutex_lock(&mutex);
  if (log_file < 0) log_file = REAL(open64)(getenv("WRITE_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  pthread_mutex_unlock(&mutex);
  files[file] = flags & O_DSYNC ? name | DSYNC : name;
  return file;
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return track_open(REAL(open64)(path, flags, mode), path, flags);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return track_open(REAL(open64)(path, flags, mode), path, flags);
}

int close(int file) {
  if (file >= 0 && file < MAX_FILES) files[file] = OTHER;
  return REAL(close)(file);
}

static ssize_t append_write(int file, ssize_t done, off64_t offset, const void *bytes) {
  if (done > 0) append_entry('w', file, offset, done, bytes);
  if (done > 0 && kind_of(file) & DSYNC) append_entry('d', file, offset, 0, NULL);
  return done;
}

static off64_t offset_before(int file, ssize_t done) { return lseek64(file, 0, SEEK_CUR) - done; }

// The mutex covers the write and its entry, so that the log has the order of the writes.
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  if (kind_of(file) == OTHER) return REAL(pwrite64)(file, bytes, length, offset);
  pthread_mutex_lock(&mutex);
  ssize_t done = append_write(file, REAL(pwrite64)(file, bytes, length, offset), offset, bytes);
  pthread_mutex_unlock(&mutex);
  return done;
}

ssize_t write(int file, const void *bytes, size_t length) {
  if (kind_of(file) == OTHER) return REAL(write)(file, bytes, length);
  pthread_mutex_lock(&mutex);
  ssize_t done = REAL(write)(file, bytes, length);
  append_write(file, done, offset_before(file, done), bytes);
  pthread_mutex_unlock(&mutex);
  return done;
}

static char *join_parts(const struct iovec *parts, int count) {
  size_t length = 0, at = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  char *bytes = malloc(length);
  for (int i = 0; i < count; at += parts[i++].iov_len) memcpy(bytes + at, parts[i].iov_base, parts[i].iov_len);
  return bytes;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  if (kind_of(file) == OTHER) return REAL(writev)(file, parts, count);
  pthread_mutex_lock(&mutex);
  char *bytes = join_parts(parts, count);
  ssize_t done = REAL(writev)(file, parts, count);
  append_write(file, done, offset_before(file, done), bytes);
  free(bytes);
  pthread_mutex_unlock(&mutex);
  return done;
}

static int recorded_sync(int file, int (*sync)(int)) {
  if (kind_of(file) == OTHER) return sync(file);
  pthread_mutex_lock(&mutex);
  uint64_t number = ++syncs;
  append_entry('b', file, number, 0, NULL);
  pthread_mutex_unlock(&mutex);
  int result = sync(file);
  pthread_mutex_lock(&mutex);
  if (result == 0) append_entry('e', file, number, 0, NULL);
  pthread_mutex_unlock(&mutex);
  return result;
}

int fdatasync(int file) { return recorded_sync(file, REAL(fdatasync)); }
int fsync(int file) { return recorded_sync(file, REAL(fsync)); }

int ftruncate64(int file, off64_t length) {
  int result = REAL(ftruncate64)(file, length);
  if (result == 0 && kind_of(file) != OTHER) {
    pthread_mutex_lock(&mutex);
    append_entry('t', file, length, 0, NULL);
    pthread_mutex_unlock(&mutex);
  }
  return result;
}
