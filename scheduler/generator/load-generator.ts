import { registerHooks } from 'node:module';
import * as cad from 'replicad';
import { withKernelErrors, type Kernel } from '../engines/occt/kernel.ts';
import { JobFailure, fail } from '../engines/occt/job-failure.ts';

const ROOT = 'file:///gen/';

/** Runs the generator with its parameters and a kernel; answers whatever it returned. */
export type Generate = (kernel: Kernel, params: Record<string, unknown>) => Promise<unknown>;

/**
 * Loads a generator out of memory. It may import its own files and replicad; anything else is refused with `generator_import`, so that the message is clear:
 * the boundary is the sandbox. The kernel is there when the function is called, not yet while modules are loaded. Whatever the generator throws is told as `generator_failed`, its stack goes to the log.
 */
export async function loadGenerator(entry: string, modules: ReadonlyMap<string, string>): Promise<Generate> {
  serveModules(modules);
  const loaded = (await foreign(null, () => import(ROOT + entry))) as { default?: unknown };
  const generate = loaded.default;
  if (typeof generate !== 'function') return fail('generator_entry', `${entry} must export a function as default`);
  return async (kernel, params) => {
    cad.setOC(kernel as unknown as Parameters<typeof cad.setOC>[0]);
    return foreign(kernel, async () => generate(frozen(params), Object.freeze({ cad })));
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
      const own = specifier.startsWith(ROOT);
      if (!own && !context.parentURL?.startsWith(ROOT)) return next(specifier, context);
      if (specifier === 'replicad') return next(specifier, { ...context, parentURL: import.meta.url });
      const url = own || /^\.{0,2}\//.test(specifier) ? new URL(specifier, context.parentURL ?? ROOT).href : '';
      const path = url.startsWith(ROOT) ? decodeURIComponent(url.slice(ROOT.length)) : null;
      if (path === null)
        return fail('generator_import', `a generator may import its own files and replicad, not ${specifier}`);
      if (!modules.has(path))
        return fail('generator_import', `there is no file ${path} in the folder of the generator`);
      return { url, format: FORMATS[path.split('.').at(-1) ?? ''] ?? 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(ROOT)) return next(url, context);
      const source = modules.get(decodeURIComponent(url.slice(ROOT.length)));
      return { format: context.format ?? 'module', source, shortCircuit: true };
    },
  });
}

// A kernel exception inside the generator is the generator's fault too.
async function foreign<T>(kernel: Kernel | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof JobFailure) throw thrown;
    console.error(thrown instanceof Error ? thrown.stack : thrown);
    const { message } = explained(kernel, thrown);
    throw new JobFailure('generator_failed', `the generator failed: ${message.slice(0, 1000)}`);
  }
}

function explained(kernel: Kernel | null, thrown: unknown): Error {
  if (!kernel) return thrown instanceof Error ? thrown : new Error(String(thrown));
  try {
    return withKernelErrors(kernel, 'geometry', () => {
      throw thrown;
    });
  } catch (known) {
    return known instanceof Error ? known : new Error(String(known));
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
