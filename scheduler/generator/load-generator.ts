import { registerHooks } from 'node:module';
import * as cad from 'replicad';
import { fail, JobFailure } from '../engines/occt/job-failure.ts';
import { type Kernel, withKernelErrors } from '../engines/occt/kernel.ts';

const ROOT = 'file:///gen/';

/** Runs the generator with a kernel and its parameters; resolves to its return value, unchecked. */
export type Generate = (kernel: Kernel, params: Record<string, unknown>) => Promise<unknown>;

/**
 * Loads a generator from memory. It may import its own files and replicad; any other import fails with
 * `generator_import`. This check only gives a clear message: the security boundary is the sandbox. The kernel is
 * available when the function is called, not while modules are loaded. Errors of the generator become
 * `generator_failed`, and their stack goes to the log.
 */
export async function loadGenerator(entry: string, modules: ReadonlyMap<string, string>): Promise<Generate> {
  serveModules(modules);
  const loaded = (await catchGeneratorErrors(null, () => import(ROOT + entry))) as { default?: unknown };
  const generate = loaded.default;
  if (typeof generate !== 'function') return fail('generator_entry', `${entry} must export a function as default`);
  return async (kernel, params) => {
    cad.setOC(kernel as unknown as Parameters<typeof cad.setOC>[0]);
    return catchGeneratorErrors(kernel, async () => generate(deepFreeze(params), Object.freeze({ cad })));
  };
}

const FORMATS: Record<string, string> = {
  mjs: 'module',
  js: 'module',
  mts: 'module-typescript',
  ts: 'module-typescript',
  json: 'json',
};

function serveModules(modules: ReadonlyMap<string, string>): void {
  registerHooks({
    resolve(specifier, context, next) {
      const isOwn = specifier.startsWith(ROOT);
      if (!isOwn && !context.parentURL?.startsWith(ROOT)) return next(specifier, context);
      if (specifier === 'replicad') return next(specifier, { ...context, parentURL: import.meta.url });
      const url = isOwn || /^\.{0,2}\//.test(specifier) ? new URL(specifier, context.parentURL ?? ROOT).href : '';
      const path = url.startsWith(ROOT) ? decodeURIComponent(url.slice(ROOT.length)) : null;
      if (path === null)
        return fail('generator_import', `a generator may import only its own files and replicad, not ${specifier}`);
      if (!modules.has(path)) return fail('generator_import', `${path} does not exist in the generator's folder`);
      return { url, format: FORMATS[path.split('.').at(-1) ?? ''] ?? 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(ROOT)) return next(url, context);
      const source = modules.get(decodeURIComponent(url.slice(ROOT.length)));
      return { format: context.format ?? 'module', source, shortCircuit: true };
    },
  });
}

// Kernel exceptions that the generator causes count as errors of the generator too.
async function catchGeneratorErrors<T>(kernel: Kernel | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof JobFailure) throw thrown;
    console.error(thrown instanceof Error ? thrown.stack : thrown);
    const { message } = describeError(kernel, thrown);
    throw new JobFailure('generator_failed', `the generator failed: ${message.slice(0, 1000)}`);
  }
}

function describeError(kernel: Kernel | null, thrown: unknown): Error {
  if (!kernel) return thrown instanceof Error ? thrown : new Error(String(thrown));
  try {
    return withKernelErrors(kernel, 'geometry', () => {
      throw thrown;
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
