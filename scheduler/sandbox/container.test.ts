// The calls of the container engine, recorded by a fake engine. attacks.test.ts uses a real one with
// PDM_TEST_SANDBOX_ENGINE.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createContainer, hasTaskLimit, removeOrphans } from './container.ts';
import { probeSandbox, TEST_PROGRAM } from './probe.ts';
import { LIMITS } from './program.ts';
import { runProgram } from './run-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'pdm-container-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a fake engine that records its arguments and then runs the script. */
function fakeContainerEngine(
  name: string,
  script: string,
): { runtime: { engine: string; image: string }; calls(): string[] } {
  const engine = join(folder, name);
  const callsFile = `${engine}.calls`;
  writeFileSync(callsFile, '');
  writeFileSync(engine, `#!/bin/sh\necho "$*" >> '${callsFile}'\n${script}\n`);
  chmodSync(engine, 0o755);
  return {
    runtime: { engine, image: 'an-image' },
    calls: () => readFileSync(callsFile, 'utf8').split('\n').filter(Boolean),
  };
}

const program = { ...TEST_PROGRAM, tree: import.meta.dirname, entry: '/gen/x.mjs' };

test('starts the container without network, users, writable files and environment', () => {
  process.env.PDM_TEST_CANARY = 'a secret';
  const { command, env } = createContainer(
    { ...program, isolation: { mode: 'container', engine: 'podman', image: 'i' } },
    { ...LIMITS, memory: 2 ** 30, threads: 64 },
    { engine: 'podman', image: 'i' },
  );
  delete process.env.PDM_TEST_CANARY;
  const line = command.join(' ');
  for (const option of [
    '--network none --ipc none',
    '--user 65534:65534',
    '--read-only --read-only-tmpfs=false',
    '--cap-drop ALL --security-opt no-new-privileges --security-opt seccomp=',
    `--memory ${2 ** 30 + 2 ** 28}b --memory-swap ${2 ** 30 + 2 ** 28}b --pids-limit 72 --cpu-shares 340`,
    `--mount type=bind,source=${import.meta.dirname},target=/gen,readonly`,
    '--pull never',
    `--data=${2 ** 30}`,
    '--fsize=0',
    '--nproc=2048',
  ])
    expect(line).toContain(option);
  expect(JSON.stringify([command, env])).not.toContain('a secret');
  expect(line).not.toMatch(/--privileged|unconfined|--env |--volume/);

  const filter = JSON.parse(readFileSync(/seccomp=(\S+)/.exec(line)?.[1] ?? '', 'utf8'));
  const refused = new Set(filter.syscalls.flatMap(({ names }: { names: string[] }) => names));
  for (const call of [
    'socket',
    'fork',
    'clone',
    'clone3',
    'unshare',
    'ptrace',
    'io_uring_setup',
    'memfd_create',
    'setsid',
    'mmap',
  ])
    expect(refused).toContain(call);
  const threads = filter.syscalls.find(({ names }: { names: string[] }) => names.includes('clone'));
  expect(threads.args).toEqual([{ index: 0, value: 0x10000, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }]);
});

test('separates output and result, and returns the exit code of the container', async () => {
  const { runtime, calls } = fakeContainerEngine('echoes', 'cat; echo printed >&2; exit 3');
  const exit = await runProgram({
    ...program,
    isolation: { mode: 'container', ...runtime },
    input: Buffer.from('result'),
  });
  expect({ ...exit, result: exit.result.toString() }).toEqual({
    code: 3,
    killReason: null,
    stdout: 'printed\n',
    stderr: 'printed\n',
    result: 'result',
  });
  expect(calls()).toHaveLength(1);
});

test('kills a container by name at the wall clock limit, repeatedly until it ends', async () => {
  const { runtime, calls } = fakeContainerEngine(
    'late',
    `case $1 in run) sleep 20 & echo $! > '${folder}/sleeper'; wait $!;; kill) [ $(grep -c ^kill '${folder}/late.calls') -gt 1 ] && kill $(cat '${folder}/sleeper');; esac`,
  );
  const exit = await runProgram({ ...program, isolation: { mode: 'container', ...runtime }, limits: { wallMs: 300 } });
  expect(exit.killReason).toBe('wall clock');
  const name = /--name (\S+)/.exec(calls()[0] ?? '')?.[1];
  expect(calls().filter((call) => call === `kill ${name}`).length).toBeGreaterThan(1);
});

test('removes only the containers of schedulers that have ended', async () => {
  const { runtime, calls } = fakeContainerEngine(
    'orphans',
    `[ $1 = ps ] && printf 'pdm-sandbox-4194999-aa\\npdm-sandbox-${process.pid}-bb\\n'; exit 0`,
  );
  await removeOrphans(runtime);
  expect(calls().slice(1)).toEqual(['rm --force pdm-sandbox-4194999-aa']);
});

test('detects group limits from the output inside the container', () => {
  const limits = { ...LIMITS, threads: 64 };
  expect(hasTaskLimit('72\ncat: /sys/fs/cgroup/pids/pids.max: No such file or directory\n', limits)).toBe(true);
  expect(hasTaskLimit('cat: /sys/fs/cgroup/pids.max: No such file or directory\n72\n', limits)).toBe(true);
  for (const output of [
    'max\n',
    '28216\n',
    'Resource limits are not supported and ignored on cgroups V1 rootless systems\n',
    '',
  ])
    expect(hasTaskLimit(output, limits)).toBe(false);
});

test('reports the missing engine or image and the remedy', async () => {
  const { runtime } = fakeContainerEngine(
    'bare',
    '[ $1 = ps ] && exit 0; echo "Error: an-image: image not known" >&2; exit 125',
  );
  for (const isolation of [runtime, { engine: join(folder, 'absent'), image: 'an-image' }]) {
    const report = await probeSandbox({ mode: 'container', ...isolation });
    expect(report).toMatchObject({
      works: false,
      checks: [],
      reason: expect.stringContaining('and have the image an-image'),
    });
  }
});
