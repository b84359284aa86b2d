// Preloaded into the store: from call number FAIL_AT on, every sync to disk fails with the error FAIL_WITH, by default as on a broken drive.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int calls;

static int number_of(const char *name, int otherwise) {
  const char *given = getenv(name);
  return given ? atoi(given) : otherwise;
}

static int broken(void) {
  return ++calls >= number_of("FAIL_AT", INT_MAX);
}

static int sync_with(const char *name, int file) {
  if (broken()) {
    errno = number_of("FAIL_WITH", EIO);
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(file);
}

int fdatasync(int file) { return sync_with("fdatasync", file); }
int fsync(int file) { return sync_with("fsync", file); }
