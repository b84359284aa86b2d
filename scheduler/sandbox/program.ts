const MiB = 2 ** 20;

export type SandboxMode = 'strict' | 'container' | 'trusted';

/** The container engine of this machine (podman or docker), and an image with Node 24, a shell and util-linux. */
export type ContainerRuntime = { engine: string; image: string };

/** How a program is kept apart. */
export type Isolation = { mode: 'strict' } | { mode: 'trusted' } | ({ mode: 'container' } & ContainerRuntime);

export type SandboxLimits = {
  wallMs: number;
  cpuSeconds: number;
  /** RLIMIT_DATA: heap, buffers, WebAssembly; the kernel of geometry needs 1,024 MiB with --liftoff-only, else 1,280. */
  memory: number;
  /** V8 reserves far more than it uses; this bounds page tables. */
  addressSpace: number;
  heapMiB: number;
  threads: number;
  openFiles: number;
  /** Of a tmpfs at /scratch, which RLIMIT_DATA does not count. */
  scratchBytes: number;
  resultBytes: number;
  /** Kept; eight times as much ends the run. */
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
  /** The root of our own code, and the files and folders below it that the program may read. */
  home: string;
  visible: readonly string[];
  /** The module to run, relative to `home`; or what stands in the place of Node altogether. */
  entry: string;
  args?: readonly string[];
  command?: readonly string[];
  /** A folder that is mounted as /gen; `entry` may then be an absolute path below it. */
  tree?: string;
  input?: Uint8Array;
  limits?: Partial<SandboxLimits>;
  /** Node's own permissions, a second layer; only the proofs turn them off. */
  permission?: boolean;
  nodeFlags?: readonly string[];
  /** Somebody waits for it: it gives way to the service, but goes before what is not urgent. */
  urgent?: boolean;
};

/** The packages of `home` that these need, themselves included, as paths below it. */
export function findPackages(names: readonly string[], read: (path: string) => string): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const path = `node_modules/${name}`;
    if (found.has(path) || name.startsWith('@types/')) return;
    found.add(path);
    const { dependencies = {} } = JSON.parse(read(`${path}/package.json`)) as { dependencies?: Record<string, string> };
    for (const needed of Object.keys(dependencies)) visit(needed);
  };
  for (const name of names) visit(name);
  return [...found];
}
