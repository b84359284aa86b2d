import { EventEmitter } from 'node:events';
import type { Dispatch } from './dispatch.ts';
import type { JobType } from './domain/kinds.ts';

/** The doorbell inside one process. */
export function localDispatch(): Dispatch {
  const bell = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  return {
    ring: (type) => void bell.emit('ring', type),
    heard: (types, milliseconds, signal) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          bell.off('ring', onRing);
          bell.off('close', done);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const onRing = (type: JobType) => types.includes(type) && done();
        const timer = setTimeout(done, milliseconds);
        bell.on('ring', onRing);
        bell.once('close', done);
        signal?.addEventListener('abort', done);
        if (signal?.aborted || closing.signal.aborted) done();
      }),
    closed: closing.signal,
    close: () => {
      closing.abort();
      bell.emit('close');
    },
  };
}
