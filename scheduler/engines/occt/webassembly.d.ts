// The part of the WebAssembly API that the engine uses; TypeScript declares it only in the DOM library.
declare namespace WebAssembly {
  class Module {
    private readonly compiled: true;
  }
  class Instance {
    readonly exports: Record<string, unknown>;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  class Exception {
    readonly stack?: string;
  }
  class RuntimeError extends Error {}
  type Imports = Record<string, Record<string, unknown>>;
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}
