/** Resolves after some milliseconds, or when the signal aborts. */
export function waited(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}

/** Resolves when one of some deeds has ended, or when the signal aborts; leaves no listener on the signal, which may live as long as the process. */
export function anyEnded(deeds: Iterable<Promise<unknown>>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    for (const deed of deeds) void deed.then(done);
    if (signal.aborted) done();
  });
}
