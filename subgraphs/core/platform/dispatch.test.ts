// The doorbell, within one process and over a real NATS server.
import { connect } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noNats, type TestNats, testNats } from '../../../test/support/nats-server.ts';
import type { Dispatch, Permits } from './dispatch.ts';
import { localDispatch } from './dispatch-local.ts';
import { natsDispatch, natsPermits } from './dispatch-nats.ts';
import { createLog } from './log.ts';
import { hear } from './telling.ts';

const log = createLog({ name: 'test', pretty: false, level: process.env.PDM_TEST_LOG ?? 'silent' });
const never = new AbortController().signal;
const LONG = 20_000;
let nats: TestNats;
const stops: (() => Promise<void> | void)[] = [];
let rings: string[] = [];
const forget = hear({ command: () => {}, sweep: () => {}, ring: ({ result }) => rings.push(result) });

beforeAll(async () => {
  if (noNats) return;
  nats = await testNats();
});
beforeEach(() => {
  rings = [];
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  forget();
  await nats?.close();
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Two ends of one doorbell: what is rung at the first is heard at the second. */
const kinds: Record<string, () => Promise<[Dispatch, Dispatch]>> = {
  'within one process': async () => {
    const dispatch = localDispatch();
    stops.push(dispatch.close);
    return [dispatch, dispatch];
  },
  'over NATS, between two processes': async () => {
    const ends: [ReturnType<typeof bell>, ReturnType<typeof bell>] = [bell(), bell()];
    await until(() => ends.every((end) => end.up()));
    return ends;
  },
};

function bell() {
  const dispatch = natsDispatch({ url: nats.url, log });
  stops.push(dispatch.stop);
  return dispatch;
}

async function scheduler(): Promise<Permits> {
  const permits = natsPermits({ url: nats.url, log });
  stops.push(permits.stop);
  await until(permits.up);
  return permits;
}

for (const [kind, made] of Object.entries(kinds))
  describe.skipIf(kind.includes('NATS') && noNats)(`a doorbell ${kind}`, () => {
    beforeAll(() => (kind.includes('NATS') ? nats.start() : undefined));
    afterAll(() => (kind.includes('NATS') ? nats.stop() : undefined));

    test('wakes all who wait for that type, and nobody else', async () => {
      const [rings, hears] = await made();
      let other = false;
      void hears.heard(['export'], LONG).then(() => {
        other = true;
      });
      const waiting = [hears.heard(['convert'], LONG), hears.heard(['run', 'convert'], LONG)];
      rings.ring('convert', `job:${kind}`);
      expect(await Promise.all(waiting)).toEqual([true, true]);
      expect(other).toBe(false);
    });

    test('wakes by the time, a signal, and its end', async () => {
      const [, hears] = await made();
      expect(await hears.heard(['convert'], 1)).toBe(false);
      expect(await hears.heard(['convert'], LONG, AbortSignal.abort())).toBe(false);
      const waiting = hears.heard(['convert'], LONG);
      hears.close();
      expect(await waiting).toBe(false);
      expect(hears.closed.aborted).toBe(true);
      expect(await hears.heard(['convert'], LONG)).toBe(false);
    });
  });

describe.skipIf(noNats)('permits', () => {
  const wait = { most: 1, milliseconds: 300, signal: never };
  beforeAll(() => {
    nats.wipe();
    return nats.start();
  });
  afterAll(() => nats.stop());

  test('each ring is one permit, for one of those who wait; rung twice for the same attempt of a job it is one ring', async () => {
    const dispatch = bell();
    const schedulers = await Promise.all([scheduler(), scheduler()]);
    await until(dispatch.up);
    dispatch.ring('convert', 'job_1:0');
    dispatch.ring('convert', 'job_1:0');
    const got = (await Promise.all(schedulers.map((one) => one.next(['convert', 'export'], wait)))).flat();
    expect(got).toHaveLength(1);
    got[0]?.done();
    await until(() => rings.length === 2);
    expect(rings.sort()).toEqual(['duplicate', 'published']);
    expect(await schedulers[0]!.next(['convert'], { ...wait, milliseconds: 50 })).toEqual([]);
  });

  test('a permit that is given back goes to somebody else; one for another type is left to those who do it', async () => {
    const dispatch = bell();
    const [first, second] = [await scheduler(), await scheduler()];
    await until(dispatch.up);
    dispatch.ring('export', 'job_2:0');
    expect(await first.next(['convert'], { ...wait, milliseconds: 50 })).toEqual([]);
    const [permit] = await first.next(['convert', 'export'], wait);
    permit?.giveBack();
    const [again] = await second.next(['export'], { ...wait, milliseconds: LONG });
    expect(again).toBeDefined();
    again?.done();
  });

  test('who waits no longer takes none', async () => {
    const dispatch = bell();
    const [first, second] = [await scheduler(), await scheduler()];
    const leaving = new AbortController();
    const waiting = first.next(['run'], { most: 8, milliseconds: LONG, signal: leaving.signal });
    leaving.abort();
    expect(await waiting).toEqual([]);
    await until(dispatch.up);
    dispatch.ring('run', 'job_3:0');
    const got = await second.next(['run'], { ...wait, milliseconds: LONG });
    expect(got).toHaveLength(1);
    got[0]?.done();
  });
});

describe.skipIf(noNats)('NATS in trouble', () => {
  afterEach(() => nats.stop());

  test('absent at the start, then without JetStream, then right: rings never fail, and get through once it is right', {
    timeout: 60_000,
  }, async () => {
    nats.wipe();
    const dispatch = bell();
    const permits = natsPermits({ url: nats.url, log });
    stops.push(permits.stop);
    const heard = dispatch.heard(['convert'], LONG);
    dispatch.ring('convert', 'job_4:0');
    await heard;
    expect(await permits.next(['convert'], { most: 1, milliseconds: LONG, signal: never })).toEqual([]);

    await nats.start({ jetStream: false });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect([dispatch.up(), permits.up()]).toEqual([false, false]);
    await nats.stop();
    await nats.start();
    await until(() => dispatch.up() && permits.up());
    dispatch.ring('convert', 'job_5:0');
    expect(await permits.next(['convert'], { most: 1, milliseconds: LONG, signal: never })).toHaveLength(1);
    await until(() => rings.length === 2);
    expect(rings).toEqual(['dropped', 'published']);
  });

  test('stream deleted, server stopped, store deleted: stream and consumers are made again', {
    timeout: 60_000,
  }, async () => {
    await nats.start();
    const dispatch = bell();
    const permits = await scheduler();
    let job = 0;
    const rung = async (): Promise<boolean> => {
      dispatch.ring('convert', `job_6:${job++}`);
      const got = await permits.next(['convert'], { most: 1, milliseconds: 500, signal: never });
      for (const permit of got) permit.done();
      return got.length > 0;
    };
    const untilRung = async () => {
      while (!(await rung())) await new Promise((resolve) => setTimeout(resolve, 100));
    };
    await untilRung();

    const other = await connect({ servers: nats.url });
    await (await other.jetstreamManager()).streams.delete('PDM_JOBS');
    await other.close();
    await untilRung();

    await nats.stop();
    await until(() => !dispatch.up() && !permits.up());
    expect(await rung()).toBe(false);
    nats.wipe();
    await nats.start();
    await untilRung();
  });
});
