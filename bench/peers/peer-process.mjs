// The process of a peer job queue: runs commands received from the benchmark one at a time and exits with it.

/** The address of the peer's server. */
export const address = process.argv[2];

export function handleCommands(commands) {
  process.on('message', async ({ command, ...args }) =>
    process.send({ result: (await commands[command](args)) ?? null }),
  );
  process.on('disconnect', () => process.exit());
  process.send({ result: null });
}

/**
 * Starts the clock and notifies the benchmark, which reads the CPU time. Returns a function that returns the elapsed
 * seconds.
 */
export function startClock() {
  process.send('started');
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
}

/**
 * Measures the ms from queued to claimed for `count` jobs in sequence. `listen` starts a worker and returns a function
 * that stops it.
 */
export async function measureClaimLatencies(count, queue, listen) {
  let claimed = () => {};
  const stop = await listen(async () => claimed(performance.now()));
  const times = [];
  for (let n = 0; n < count; n++) {
    const next = new Promise((resolve) => {
      claimed = resolve;
    });
    await queue(n);
    const queued = performance.now();
    // A worker may claim the job before `queue` resolves.
    times.push(Math.max(0, (await next) - queued));
  }
  await stop();
  return times;
}
