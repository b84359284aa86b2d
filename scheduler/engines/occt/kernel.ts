import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import init, { type OpenCascadeInstance, type TopoDS_Shape } from 'replicad-opencascadejs';
import { Refusal } from './refusal.ts';

/** One instance of the geometry kernel, OCCT 8.0 in WebAssembly. It leaks and may trap, so no instance sees two jobs. */
export type Kernel = OpenCascadeInstance;
export type Shape = TopoDS_Shape;

export const KERNEL_NAME = 'OCCT 8.0 (replicad-opencascadejs 1.1.0)';

/** Compiles the kernel, once per process; 22 MB of WebAssembly, about 0.1 s. */
export async function compileKernel(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(readFileSync(kernelFile()));
}

/** A fresh kernel, in about 0.15 s from a compiled module. */
export async function startKernel(module: WebAssembly.Module): Promise<Kernel> {
  const silent = () => {};
  return init({
    print: silent,
    printErr: silent,
    instantiateWasm: (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
}

/** Where the kernel's binary lies; it is loaded from node_modules and never bundled, so that anybody can replace it (LGPL). */
export const kernelFile = () => createRequire(import.meta.url).resolve('replicad-opencascadejs/wasm');

/**
 * Runs a step of the kernel's work and turns what it throws into a refusal: `kernel` for its own exceptions, `kernel_crash` for a trap or endless
 * recursion (the instance must not be used again), `out_of_memory`. Faults of our own code pass unchanged.
 */
export function inKernel<T>(kernel: Kernel, what: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw explain(kernel, what, causeOf(thrown));
  }
}

/** The first of several errors: leaving a block frees its kernel objects, which throws as well after a trap and wraps what was thrown before. */
export function causeOf(thrown: unknown): unknown {
  return thrown instanceof SuppressedError ? causeOf(thrown.suppressed) : thrown;
}

const NO_MEMORY = /allocation failed|bad_alloc|out of memory|\(OOM\)/i;

function explain(kernel: Kernel, what: string, error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const isException = error instanceof WebAssembly.Exception;
  const text = isException ? exceptionText(kernel, error) : error instanceof Error ? error.message : String(error);
  if (NO_MEMORY.test(text)) return new Refusal('out_of_memory', `${what}: the job needs more memory than it may have`);
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    return new Refusal('kernel_crash', `${what}: the geometry kernel stopped on this input (${text})`);
  }
  return isException || !(error instanceof Error) ? new Refusal('kernel', `${what}: ${text}`) : error;
}

function exceptionText(kernel: Kernel, exception: WebAssembly.Exception): string {
  try {
    return kernel.getExceptionMessage(exception).join(': ');
  } catch (unreadable) {
    return `an exception without text (${unreadable instanceof Error ? unreadable.message : unreadable})`;
  }
}
