/** Returns a function that runs at most `max` actions at a time; the others wait in order. */
export function semaphore(max: number): <R>(action: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let free = max;
  return async (action) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await action();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
