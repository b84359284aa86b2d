// The cluster time in replies.
import { Binary, Double, Long, Timestamp } from 'bson';
import { metaKey } from '../data/keys.ts';
import type { Storage } from '../storage/storage.ts';
import type { WriteView } from '../storage/view.ts';
import { type Doc, decode } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';

/** The cluster time that causally consistent sessions exchange. It never goes back, even if the system clock does. */
export type ClusterClock = {
  /** Returns `$clusterTime` and `operationTime`, the fields added to every reply. */
  replyFields(): Doc;
  /** Returns `ok: 1` and these fields as the end of a BSON document. The next call overwrites the buffer. */
  encodedReplyEnd(): Buffer;
  /** Stores the time with a write, at most once a second, so that it continues from there after a restart. */
  store(view: WriteView): void;
};

const KEY = metaKey('clusterTime');

export function createClusterClock(storage: Storage): ClusterClock {
  const snapshot = storage.snapshot();
  const stored = snapshot.get(KEY);
  snapshot.close();
  const storedTime = stored && decode(stored).time;
  // One second is added because times within the last stored second may have been used after it was stored.
  let seconds = storedTime instanceof Timestamp ? storedTime.getHighBitsUnsigned() + 1 : 0;
  let counter = 0;
  let storedSeconds = seconds;

  const tick = (): void => {
    const now = Math.floor(Date.now() / 1000);
    counter = now > seconds ? 1 : counter + 1;
    seconds = Math.max(seconds, now);
  };
  const time = (): Timestamp => new Timestamp({ t: seconds, i: counter });

  return {
    replyFields() {
      tick();
      return timeFields(time());
    },
    encodedReplyEnd() {
      tick();
      for (const offset of TIME_OFFSETS) {
        REPLY_END.writeUInt32LE(counter, offset);
        REPLY_END.writeUInt32LE(seconds, offset + 4);
      }
      return REPLY_END;
    },
    store(view) {
      tick();
      if (seconds === storedSeconds) return;
      storedSeconds = seconds;
      view.mark(KEY, encodeBytes({ time: time() }));
    },
  };
}

const NO_HASH = new Binary(Buffer.alloc(20));

const timeFields = (time: Timestamp): Doc => ({
  $clusterTime: { clusterTime: time, signature: { hash: NO_HASH, keyId: Long.ZERO } },
  operationTime: time,
});

// Every reply ends with the same bytes except for the time, which occurs twice.
const REPLY_END = encodeBytes({ ok: new Double(1), ...timeFields(new Timestamp({ t: 0, i: 0 })) }).subarray(4, -1);
const TIME_OFFSETS = [REPLY_END.indexOf('\x11clusterTime\0', 0, 'latin1') + 13, REPLY_END.length - 8];
