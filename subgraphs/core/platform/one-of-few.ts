/** Makes a turnstile: of the deeds that go through it at most so many are under way at once, the others wait in their order. */
export function oneOfFew(most: number): <R>(deed: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (deed) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await deed();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
