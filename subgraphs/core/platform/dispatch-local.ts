// Notifications inside one process.
import { EventEmitter } from 'node:events';
import type { Dispatch, Topic } from './dispatch.ts';

/** Returns a dispatch that notifies the waiting code of this process only. */
export function localDispatch(): Dispatch {
  const emitter = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  return {
    notify: (topic, key: string | null = null) => void emitter.emit('notify', topic, key),
    waitFor: (topics, milliseconds, signal) =>
      new Promise((resolve) => {
        const finish = (notified: boolean) => {
          clearTimeout(timer);
          emitter.off('notify', onNotify);
          emitter.off('close', cancel);
          signal?.removeEventListener('abort', cancel);
          resolve(notified);
        };
        const cancel = () => finish(false);
        const onNotify = (topic: Topic) => topics.includes(topic) && finish(true);
        const timer = setTimeout(cancel, milliseconds);
        emitter.on('notify', onNotify);
        emitter.once('close', cancel);
        signal?.addEventListener('abort', cancel);
        if (signal?.aborted || closing.signal.aborted) cancel();
      }),
    listen: (listener) => {
      emitter.on('notify', listener);
      return () => void emitter.off('notify', listener);
    },
    closed: closing.signal,
    close: () => {
      closing.abort();
      emitter.emit('close');
    },
  };
}
