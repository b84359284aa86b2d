// Notifications within one process and over a real NATS server.
import { connect } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestNats, testNats } from '../../../test/support/nats-server.ts';
import { needs } from '../../../test/support/needs.ts';
import { type AnnouncedJob, formatJobEvent } from '../domain/jobs/job-event.ts';
import type { Dispatch, Permits } from './dispatch.ts';
import { localDispatch } from './dispatch-local.ts';
import { natsDispatch, natsPermits } from './dispatch-nats.ts';
import { subscribe } from './instrumentation.ts';
import { createLog } from './log.ts';

const log = createLog({ name: 'test', pretty: false, level: process.env.PDM_TEST_LOG ?? 'silent' });
const never = new AbortController().signal;
const LONG = 20_000;
const natsServer = needs('nats-server');
let nats: TestNats;
const stops: (() => Promise<void> | void)[] = [];
let notifications: string[] = [];
const unsubscribe = subscribe({
  command: () => {},
  sweep: () => {},
  notification: ({ result }) => notifications.push(result),
});

beforeAll(async () => {
  if (natsServer.isMissing) return;
  nats = await testNats();
});
beforeEach(() => {
  notifications = [];
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  unsubscribe();
  await nats?.close();
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Two ends of one dispatch: notifications sent at the first arrive at the second. */
const kinds: Record<string, () => Promise<[Dispatch, Dispatch]>> = {
  'within one process': async () => {
    const dispatch = localDispatch();
    stops.push(dispatch.close);
    return [dispatch, dispatch];
  },
  'over NATS, between two processes': async () => {
    const ends: [ReturnType<typeof dispatcher>, ReturnType<typeof dispatcher>] = [dispatcher(), dispatcher()];
    await until(() => ends.every((end) => end.up()));
    return ends;
  },
};

function dispatcher() {
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

for (const [kind, createEnds] of Object.entries(kinds))
  describe.skipIf(kind.includes('NATS') && natsServer.isMissing)(
    kind.includes('NATS') ? natsServer.title(`a dispatch ${kind}`) : `a dispatch ${kind}`,
    () => {
      beforeAll(() => (kind.includes('NATS') ? nats.start() : undefined));
      afterAll(() => (kind.includes('NATS') ? nats.stop() : undefined));

      test('wakes all that wait for a topic, and no others', async () => {
        const [sender, receiver] = await createEnds();
        let other = false;
        void receiver.waitFor(['export'], LONG).then(() => {
          other = true;
        });
        const waiting = [receiver.waitFor(['convert'], LONG), receiver.waitFor(['run', 'convert'], LONG)];
        sender.notify('convert', `job:${kind}`);
        expect(await Promise.all(waiting)).toEqual([true, true]);
        expect(other).toBe(false);
      });

      test('stops waiting on timeout, abort and close', async () => {
        const [, receiver] = await createEnds();
        expect(await receiver.waitFor(['convert'], 1)).toBe(false);
        expect(await receiver.waitFor(['convert'], LONG, AbortSignal.abort())).toBe(false);
        const waiting = receiver.waitFor(['convert'], LONG);
        receiver.close();
        expect(await waiting).toBe(false);
        expect(receiver.closed.aborted).toBe(true);
        expect(await receiver.waitFor(['convert'], LONG)).toBe(false);
      });
    },
  );

describe.skipIf(natsServer.isMissing)(natsServer.title('permits'), () => {
  const wait = { max: 1, milliseconds: 300, signal: never };
  beforeAll(() => {
    nats.wipe();
    return nats.start();
  });
  afterAll(() => nats.stop());

  test('issues one permit to one scheduler for repeated notifications of the same job attempt', async () => {
    const dispatch = dispatcher();
    const schedulers = await Promise.all([scheduler(), scheduler()]);
    await until(dispatch.up);
    dispatch.notify('convert', 'job_1:0');
    dispatch.notify('convert', 'job_1:0');
    const got = (await Promise.all(schedulers.map((permits) => permits.next(['convert', 'export'], wait)))).flat();
    expect(got).toHaveLength(1);
    got[0]?.done();
    await until(() => notifications.length === 2);
    expect(notifications.sort()).toEqual(['duplicate', 'published']);
    expect(await schedulers[0]!.next(['convert'], { ...wait, milliseconds: 50 })).toEqual([]);
  });

  test('publishes the announced job, for everybody who follows the subject', async () => {
    const job: AnnouncedJob = {
      _id: 'job_7',
      type: 'export',
      attempt: 1,
      documentId: 'doc_1',
      versionId: 'ver_1',
      runId: null,
      format: 'step',
      inputSha256: null,
      environment: ['engine:classcad'],
    };
    const dispatch = dispatcher();
    const follower = await connect({ servers: nats.url });
    stops.push(() => follower.close());
    const messages = follower.subscribe('pdm.jobs.ready.*', { max: 1 });
    await follower.flush();
    await until(dispatch.up);
    dispatch.notify('export', 'job_7:1', job);
    for await (const { subject, data, headers } of messages) {
      const message = JSON.parse(Buffer.from(data).toString());
      expect([subject, headers?.get('Nats-Msg-Id')]).toEqual(['pdm.jobs.ready.export', 'job_7:1']);
      expect(message).toEqual(JSON.parse(formatJobEvent('job_7:1', job, new Date(message.time))));
    }
    const [permit] = await (await scheduler()).next(['export'], { ...wait, milliseconds: LONG });
    permit?.done();
  });

  test('passes a permit that is given back to another scheduler, and only permits of the requested types', async () => {
    const dispatch = dispatcher();
    const [first, second] = [await scheduler(), await scheduler()];
    await until(dispatch.up);
    dispatch.notify('export', 'job_2:0');
    expect(await first.next(['convert'], { ...wait, milliseconds: 50 })).toEqual([]);
    const [permit] = await first.next(['convert', 'export'], wait);
    permit?.giveBack();
    const [again] = await second.next(['export'], { ...wait, milliseconds: LONG });
    expect(again).toBeDefined();
    again?.done();
  });

  test('issues no permit to a request that was aborted', async () => {
    const dispatch = dispatcher();
    const [first, second] = [await scheduler(), await scheduler()];
    const aborting = new AbortController();
    const waiting = first.next(['run'], { max: 8, milliseconds: LONG, signal: aborting.signal });
    aborting.abort();
    expect(await waiting).toEqual([]);
    await until(dispatch.up);
    dispatch.notify('run', 'job_3:0');
    const got = await second.next(['run'], { ...wait, milliseconds: LONG });
    expect(got).toHaveLength(1);
    got[0]?.done();
  });
});

describe.skipIf(natsServer.isMissing)(natsServer.title('NATS failures'), () => {
  afterEach(() => nats.stop());

  test('never fails while NATS is down or without JetStream, and publishes once it is available', {
    timeout: 60_000,
  }, async () => {
    nats.wipe();
    const dispatch = dispatcher();
    const permits = natsPermits({ url: nats.url, log });
    stops.push(permits.stop);
    const notified = dispatch.waitFor(['convert'], LONG);
    dispatch.notify('convert', 'job_4:0');
    await notified;
    expect(await permits.next(['convert'], { max: 1, milliseconds: LONG, signal: never })).toEqual([]);

    await nats.start({ jetStream: false });
    await until(() => permits.connectivity().lastError?.includes('without JetStream') ?? false);
    expect([dispatch.up(), permits.up()]).toEqual([false, false]);
    await nats.stop();
    await nats.start();
    await until(() => dispatch.up() && permits.up());
    dispatch.notify('convert', 'job_5:0');
    expect(await permits.next(['convert'], { max: 1, milliseconds: LONG, signal: never })).toHaveLength(1);
    await until(() => notifications.length === 2);
    expect(notifications).toEqual(['dropped', 'published']);
  });

  test('recreates the stream and its consumers after they or the whole store were deleted', {
    timeout: 60_000,
  }, async () => {
    await nats.start();
    const dispatch = dispatcher();
    const permits = await scheduler();
    let job = 0;
    const delivered = async (): Promise<boolean> => {
      dispatch.notify('convert', `job_6:${job++}`);
      const got = await permits.next(['convert'], { max: 1, milliseconds: 500, signal: never });
      for (const permit of got) permit.done();
      return got.length > 0;
    };
    const untilDelivered = async () => {
      while (!(await delivered())) await new Promise((resolve) => setTimeout(resolve, 100));
    };
    await untilDelivered();

    const other = await connect({ servers: nats.url });
    await (await other.jetstreamManager()).streams.delete('PDM_JOBS');
    await other.close();
    await untilDelivered();

    await nats.stop();
    await until(() => !dispatch.up() && !permits.up());
    expect(await delivered()).toBe(false);
    nats.wipe();
    await nats.start();
    await untilDelivered();
  });
});
