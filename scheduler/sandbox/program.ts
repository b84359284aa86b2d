const MiB = 2 ** 20;

export type SandboxMode = 'strict' | 'container' | 'trusted';

/** The container engine of this machine (podman or docker), and an image with Node 24, a shell and util-linux. */
export type ContainerRuntime = { engine: string; image: string };

export type Isolation = { mode: 'strict' } | { mode: 'trusted' } | ({ mode: 'container' } & ContainerRuntime);

export type SandboxLimits = {
  wallMs: number;
  cpuSeconds: number;
  /**
   * RLIMIT_DATA in bytes: heap, buffers and WebAssembly. The geometry kernel needs 1,024 MiB with --liftoff-only,
   * otherwise 1,280.
   */
  memory: number;
  /** RLIMIT_AS in bytes. V8 reserves far more than it uses; the limit bounds the page tables. */
  addressSpace: number;
  heapMiB: number;
  threads: number;
  openFiles: number;
  /** The size of a tmpfs at /scratch, which RLIMIT_DATA does not count; 0 for none. */
  scratchBytes: number;
  resultBytes: number;
  /** How much output is kept; eight times as much stops the program. */
  logBytes: number;
};

export const LIMITS: SandboxLimits = {
  wallMs: 60_000,
  cpuSeconds: 120,
  memory: 2048 * MiB,
  addressSpace: 64 * 1024 * MiB,
  heapMiB: 512,
  threads: 64,
  openFiles: 256,
  scratchBytes: 0,
  resultBytes: 64 * MiB,
  logBytes: 1 * MiB,
};

export type Program = {
  isolation: Isolation;
  /** The root of the service's code, and the files and folders below it that the program may read. */
  home: string;
  visible: readonly string[];
  /** The module to run, relative to `home`. */
  entry: string;
  args?: readonly string[];
  /** A command that replaces Node and `entry`. */
  command?: readonly string[];
  /** A folder mounted at /gen; `entry` may then be an absolute path below /gen. */
  tree?: string;
  input?: Uint8Array;
  limits?: Partial<SandboxLimits>;
  /** Whether Node's permission model is a second layer. Default: true; the sandbox tests disable it. */
  permission?: boolean;
  nodeFlags?: readonly string[];
  /** A user waits for the result: lower priority than the service, higher than other programs. */
  urgent?: boolean;
};

/** Returns the paths of these packages and their dependencies, relative to the repository root. */
export function findPackages(names: readonly string[], read: (path: string) => string): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const path = `node_modules/${name}`;
    if (found.has(path) || name.startsWith('@types/')) return;
    found.add(path);
    const { dependencies = {} } = JSON.parse(read(`${path}/package.json`)) as { dependencies?: Record<string, string> };
    for (const dependency of Object.keys(dependencies)) visit(dependency);
  };
  for (const name of names) visit(name);
  return [...found];
}
