// Preloaded into the store: from call number EIO_AT on, every sync to disk fails as on a broken drive.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int calls;

static int broken(void) {
  const char *at = getenv("EIO_AT");
  return at && ++calls >= atoi(at);
}

static int sync_with(const char *name, int file) {
  if (broken()) {
    errno = EIO;
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return real(file);
}

int fdatasync(int file) { return sync_with("fdatasync", file); }
int fsync(int file) { return sync_with("fsync", file); }
