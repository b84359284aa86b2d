import { Binary, Double, Long, Timestamp } from 'bson';
import { metaKey } from '../data/keys.ts';
import type { Storage } from '../storage/storage.ts';
import type { WriteView } from '../storage/view.ts';
import { type Doc, decode } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';

/** The cluster time that causal sessions pass around: it never goes back, also when the machine's clock did. */
export type Clock = {
  /** `$clusterTime` and `operationTime`, added to every answer. */
  stamp(): Doc;
  /** `ok: 1` and the stamp as the last elements of a BSON document; the memory is written anew with the next answer. */
  ending(): Buffer;
  /** Notes the time with a write, once a second, so that it goes on from there after a restart. */
  note(view: WriteView): void;
};

const KEY = metaKey('clusterTime');

export function startClock(storage: Storage): Clock {
  const snapshot = storage.snapshot();
  const stored = snapshot.get(KEY);
  snapshot.close();
  const noted = stored && decode(stored).time;
  // One second further: the last second before the stop may have been used without a note.
  let seconds = noted instanceof Timestamp ? noted.getHighBitsUnsigned() + 1 : 0;
  let counter = 0;
  let notedAt = seconds;

  const tick = (): void => {
    const now = Math.floor(Date.now() / 1000);
    counter = now > seconds ? 1 : counter + 1;
    seconds = Math.max(seconds, now);
  };
  const time = (): Timestamp => new Timestamp({ t: seconds, i: counter });

  return {
    stamp() {
      tick();
      return stampOf(time());
    },
    ending() {
      tick();
      for (const at of TIMES) {
        ENDING.writeUInt32LE(counter, at);
        ENDING.writeUInt32LE(seconds, at + 4);
      }
      return ENDING;
    },
    note(view) {
      tick();
      if (seconds === notedAt) return;
      notedAt = seconds;
      view.mark(KEY, encodeBytes({ time: time() }));
    },
  };
}

const NO_HASH = new Binary(Buffer.alloc(20));

const stampOf = (time: Timestamp): Doc => ({
  $clusterTime: { clusterTime: time, signature: { hash: NO_HASH, keyId: Long.ZERO } },
  operationTime: time,
});

// Every answer ends in the same bytes but for the time, which stands in them twice.
const ENDING = encodeBytes({ ok: new Double(1), ...stampOf(new Timestamp({ t: 0, i: 0 })) }).subarray(4, -1);
const TIMES = [ENDING.indexOf('\x11clusterTime\0', 0, 'latin1') + 13, ENDING.length - 8];
