// Ends the process of the store.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Ends the process with an exit code. Collects garbage first: Node waits for its compiler threads, and one that waits
 * for a garbage collection would wait forever (https://github.com/nodejs/node/issues/54918).
 */
export function exitProcess(code: number): never {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  process.exit(code);
}
