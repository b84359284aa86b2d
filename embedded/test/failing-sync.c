// Preloaded into the store: every sync from call number FAIL_AT fails with the error number FAIL_WITH (default: EIO).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int calls;

static int environment_number(const char *name, int fallback) {
  const char *value = getenv(name);
  return value ? atoi(value) : fallback;
}

static int should_fail(void) {
  return ++calls >= environment_number("FAIL_AT", INT_MAX);
}

static int sync_with(const char *name, int file) {
  if (should_fail()) {
    errno = environment_number("FAIL_WITH", EIO);
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(file);
}

int fdatasync(int file) { return sync_with("fdatasync", file); }
int fsync(int file) { return sync_with("fsync", file); }
