/** Does what the bench says, one deed after the other, and answers; ends with the bench. `address`: the socket of its server. */
export const address = process.argv[2];

export function resident(deeds) {
  process.on('message', async ({ deed, ...given }) => process.send({ answer: (await deeds[deed](given)) ?? null }));
  process.on('disconnect', () => process.exit());
  process.send({ answer: null });
}

/** Starts the clock: answers with what tells the seconds since. The bench reads its processor time in the same moment. */
export function startClock() {
  process.send('begun');
  const begun = performance.now();
  return () => (performance.now() - begun) / 1000;
}

/** Milliseconds from queued to claimed, of so many jobs one after the other. `listen` starts a worker that calls what it is given for each, and answers with how to stop it. */
export async function waitsOf(count, queue, listen) {
  let claimed = () => {};
  const stop = await listen(async () => claimed(performance.now()));
  const times = [];
  for (let n = 0; n < count; n++) {
    const next = new Promise((resolve) => {
      claimed = resolve;
    });
    await queue(n);
    const queued = performance.now();
    // A worker may have it before the one who queued it hears that it is there.
    times.push(Math.max(0, (await next) - queued));
  }
  await stop();
  return times;
}
