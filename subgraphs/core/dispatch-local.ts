import { EventEmitter } from 'node:events';
import type { Bell, Dispatch } from './dispatch.ts';

/** The doorbell inside one process. */
export function localDispatch(): Dispatch {
  const bell = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  return {
    ring: (rung) => void bell.emit('ring', rung),
    heard: (bells, milliseconds, signal) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          bell.off('ring', onRing);
          bell.off('close', done);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const onRing = (rung: Bell) => bells.includes(rung) && done();
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
