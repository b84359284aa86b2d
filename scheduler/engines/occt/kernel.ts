import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import init, { type OpenCascadeInstance, type TopoDS_Shape } from 'replicad-opencascadejs';
import { errorMessage } from '../../../subgraphs/core/domain/text/error-message.ts';
import { JobFailure } from './job-failure.ts';

/** An instance of the geometry kernel, OCCT 8.0 in WebAssembly. It leaks memory and may trap: use one per job. */
export type Kernel = OpenCascadeInstance;
export type Shape = TopoDS_Shape;

export const KERNEL_NAME = 'OCCT 8.0 (replicad-opencascadejs 1.1.0)';

/** Compiles the kernel (22 MB of WebAssembly, about 0.1 s), once per process. */
export async function compileKernel(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(readFileSync(kernelPath()));
}

/** Starts a fresh kernel from a compiled module in about 0.15 s. */
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

/**
 * Path of the kernel's binary. It is loaded from node_modules and never bundled, so that users can replace it (LGPL).
 */
export const kernelPath = () => createRequire(import.meta.url).resolve('replicad-opencascadejs/wasm');

/**
 * Runs a kernel operation and converts its exceptions to a JobFailure: `kernel`, `out_of_memory`, or `kernel_crash` for
 * a trap or endless recursion, after which the instance must not be used. Rethrows other errors.
 */
export function withKernelErrors<T>(kernel: Kernel, operation: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw convertError(kernel, operation, rootCause(thrown));
  }
}

/** The first error thrown: after a trap, freeing kernel objects in `using` blocks throws again and wraps it. */
export function rootCause(thrown: unknown): unknown {
  return thrown instanceof SuppressedError ? rootCause(thrown.suppressed) : thrown;
}

const OUT_OF_MEMORY = /allocation failed|bad_alloc|out of memory|\(OOM\)/i;

function convertError(kernel: Kernel, operation: string, error: unknown): unknown {
  if (error instanceof JobFailure) return error;
  const isException = error instanceof WebAssembly.Exception;
  const text = isException ? exceptionText(kernel, error) : errorMessage(error);
  if (OUT_OF_MEMORY.test(text))
    return new JobFailure('out_of_memory', `${operation}: the job exceeded its memory limit`);
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    return new JobFailure('kernel_crash', `${operation}: the geometry kernel crashed on this input (${text})`);
  }
  return isException || !(error instanceof Error) ? new JobFailure('kernel', `${operation}: ${text}`) : error;
}

function exceptionText(kernel: Kernel, exception: WebAssembly.Exception): string {
  try {
    return kernel.getExceptionMessage(exception).join(': ');
  } catch (unreadable) {
    return `exception without a readable message (${unreadable instanceof Error ? unreadable.message : unreadable})`;
  }
}
