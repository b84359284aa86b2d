// Validates the parameters of a run and fills in defaults.

import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { type FieldError, refuse } from '../core/domain/errors.ts';
import type { JsonSchema } from '../core/domain/jobs/manifest.ts';
import { mentionMoreErrors } from '../core/domain/text/pluralize.ts';

export type ParamsCheck = { schema: JsonSchema; params: object };
export type ParamsCheckResult = { params: object; errors: FieldError[] };

const MAX_CONCURRENT_CHECKS = 2;
const limitChecks = pLimit(MAX_CONCURRENT_CHECKS);
const CHECK_TIMEOUT_MS = 1_000;
const START_TIMEOUT_MS = 5_000;
const HEAP_MB = 64;

/**
 * Returns the parameters with the defaults of the schema filled in. Throws `invalid_params` with all errors (as JSON
 * pointers) if the parameters do not match the schema, or if the check times out.
 */
export async function completeParams(check: ParamsCheck): Promise<Record<string, unknown>> {
  const result = await limitChecks(() => runCheck(check));
  if (!result)
    return refuse(
      'invalid_params',
      'Checking the parameters took too long. Simplify the patterns in the schema of the manifest.',
      { errors: [] },
    );
  const { params, errors } = result;
  const [first] = errors;
  if (first)
    refuse(
      'invalid_params',
      `The parameters do not match the schema: ${first.path.slice(1) || 'params'} ${first.message}.${mentionMoreErrors(errors)}`,
      { errors: errors.map(withBodyPath) },
    );
  return params as Record<string, unknown>;
}

function withBodyPath({ path, message }: FieldError): FieldError {
  return { path: `/params${path}`, message };
}

/** Runs the check in its own thread; returns null if it exceeded its time or memory limit. */
function runCheck(workerData: ParamsCheck): Promise<ParamsCheckResult | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./complete-params-worker.ts', import.meta.url), {
      workerData,
      env: {},
      execArgv: ['--no-warnings'],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const stop = () => {
      resolve(null);
      void worker.terminate();
    };
    // Starting the thread may take longer than the check itself.
    let timer = setTimeout(stop, START_TIMEOUT_MS);
    worker.on('message', (message: ParamsCheckResult | { ready: true }) => {
      clearTimeout(timer);
      if ('ready' in message) timer = setTimeout(stop, CHECK_TIMEOUT_MS);
      else resolve(message);
    });
    worker.on('error', (error) => {
      clearTimeout(timer);
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(null);
      else if (error instanceof SyntaxError || error instanceof RangeError)
        resolve({ params: {}, errors: [{ path: '', message: `cannot be checked: ${error.message}` }] });
      else reject(error);
    });
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}
