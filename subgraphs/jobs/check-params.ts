import { Worker } from 'node:worker_threads';
import { refuse } from '../core/domain/errors.ts';
import type { JsonSchema } from '../core/domain/jobs/manifest.ts';
import { mentionMoreErrors } from '../core/domain/text/pluralize.ts';
import { oneOfFew } from '../core/platform/one-of-few.ts';

export type ParamsQuestion = { schema: JsonSchema; params: object };
export type ParamsAnswer = { params: object; faults: { path: string; message: string }[] };

const CHECKS = 2;
const inTurn = oneOfFew(CHECKS);
// Of the check itself; the thread that does it may take longer to start.
const LONGEST = 1_000;
const LONGEST_START = 5_000;
const HEAP_MB = 64;

/**
 * Parameters with the defaults of the schema filled in. Refuses with `invalid_params`, telling all faults with JSON pointers, what does not fit the
 * schema, and a schema whose check does not end in time.
 */
export async function completeParams(question: ParamsQuestion): Promise<Record<string, unknown>> {
  const answer = await inTurn(() => asked(question));
  if (!answer)
    return refuse(
      'invalid_params',
      'Checking the parameters took too long: a pattern of the manifest does not end. Simplify it.',
      { errors: [] },
    );
  const { params, faults } = answer;
  const [first] = faults;
  if (first) {
    refuse(
      'invalid_params',
      `The parameters do not fit: ${first.path.slice(1) || 'params'} ${first.message}.${mentionMoreErrors(faults)}`,
      {
        errors: faults.map(inBody),
      },
    );
  }
  return params as Record<string, unknown>;
}

function inBody({ path, message }: { path: string; message: string }): { path: string; message: string } {
  return { path: `/params${path}`, message };
}

/** The answer of a thread of its own; null when it took too long, in time or memory. */
function asked(workerData: ParamsQuestion): Promise<ParamsAnswer | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./params-worker.ts', import.meta.url), {
      workerData,
      env: {},
      execArgv: ['--no-warnings'],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const giveUp = () => {
      resolve(null);
      void worker.terminate();
    };
    let timer = setTimeout(giveUp, LONGEST_START);
    worker.on('message', (message: ParamsAnswer | { ready: true }) => {
      clearTimeout(timer);
      if ('ready' in message) timer = setTimeout(giveUp, LONGEST);
      else resolve(message);
    });
    worker.on('error', (error) => {
      clearTimeout(timer);
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(null);
      else if (error instanceof SyntaxError || error instanceof RangeError)
        resolve({ params: {}, faults: [{ path: '', message: `cannot be checked: ${error.message}` }] });
      else reject(error);
    });
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}
