import { EventEmitter } from 'node:events';
import type { Bell, Dispatch } from './dispatch.ts';

/** The doorbell inside one process. */
export function localDispatch(): Dispatch {
  const bell = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  return {
    ring: (rung, key: string | null = null) => void bell.emit('ring', rung, key),
    heard: (bells, milliseconds, signal) =>
      new Promise((resolve) => {
        const done = (rung: boolean) => {
          clearTimeout(timer);
          bell.off('ring', onRing);
          bell.off('close', unheard);
          signal?.removeEventListener('abort', unheard);
          resolve(rung);
        };
        const unheard = () => done(false);
        const onRing = (rung: Bell) => bells.includes(rung) && done(true);
        const timer = setTimeout(unheard, milliseconds);
        bell.on('ring', onRing);
        bell.once('close', unheard);
        signal?.addEventListener('abort', unheard);
        if (signal?.aborted || closing.signal.aborted) unheard();
      }),
    listen: (listener) => {
      bell.on('ring', listener);
      return () => void bell.off('ring', listener);
    },
    closed: closing.signal,
    close: () => {
      closing.abort();
      bell.emit('close');
    },
  };
}
