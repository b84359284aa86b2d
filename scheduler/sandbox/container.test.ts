// What a container engine is asked for, told by an engine that only writes it down. With a real one: attacks.test.ts, with PDM_TEST_SANDBOX_ENGINE.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createContainer, hasTaskLimit, removeOrphans } from './container.ts';
import { runProgram } from './run-program.ts';
import { TEST_PROGRAM, probeSandbox } from './probe.ts';
import { LIMITS } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'pdm-container-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An engine that writes down how it was called, and then does what the script says. */
function engineThat(name: string, script: string): { place: { engine: string; image: string }; calls(): string[] } {
  const engine = join(folder, name);
  const record = `${engine}.calls`;
  writeFileSync(record, '');
  writeFileSync(engine, `#!/bin/sh\necho "$*" >> '${record}'\n${script}\n`);
  chmodSync(engine, 0o755);
  return {
    place: { engine, image: 'an-image' },
    calls: () => readFileSync(record, 'utf8').split('\n').filter(Boolean),
  };
}

const program = { ...TEST_PROGRAM, tree: import.meta.dirname, entry: '/gen/x.mjs' };

test('a container sees no network, no user, no file that can be written, and nothing of the environment', () => {
  process.env.PDM_TEST_CANARY = 'a secret';
  const { command, env } = createContainer(
    { ...program, isolation: { mode: 'container', engine: 'podman', image: 'i' } },
    { ...LIMITS, memory: 2 ** 30, threads: 64 },
    { engine: 'podman', image: 'i' },
  );
  delete process.env.PDM_TEST_CANARY;
  const line = command.join(' ');
  for (const asked of [
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
    expect(line).toContain(asked);
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

test('what a program prints and what it answers do not get mixed up, and its end is that of its container', async () => {
  const { place, calls } = engineThat('talks', 'cat; echo printed >&2; exit 3');
  const ended = await runProgram({ ...program, isolation: { mode: 'container', ...place }, input: Buffer.from('answer') });
  expect({ ...ended, result: ended.result.toString() }).toEqual({
    code: 3,
    why: null,
    stdout: 'printed\n',
    stderr: 'printed\n',
    result: 'answer',
  });
  expect(calls()).toHaveLength(1);
});

test('one that takes too long is ended by its name, again until it has ended', async () => {
  const { place, calls } = engineThat(
    'late',
    `case $1 in run) sleep 20 & echo $! > '${folder}/sleeper'; wait $!;; kill) [ $(grep -c ^kill '${folder}/late.calls') -gt 1 ] && kill $(cat '${folder}/sleeper');; esac`,
  );
  const ended = await runProgram({ ...program, isolation: { mode: 'container', ...place }, limits: { wallMs: 300 } });
  expect(ended.killReason).toBe('wall clock');
  const name = /--name (\S+)/.exec(calls()[0] ?? '')?.[1];
  expect(calls().filter((call) => call === `kill ${name}`).length).toBeGreaterThan(1);
});

test('containers of a scheduler that is gone are removed, those of one that lives are not', async () => {
  const { place, calls } = engineThat(
    'left',
    `[ $1 = ps ] && printf 'pdm-sandbox-4194999-aa\\npdm-sandbox-${process.pid}-bb\\n'; exit 0`,
  );
  await removeOrphans(place);
  expect(calls().slice(1)).toEqual(['rm --force pdm-sandbox-4194999-aa']);
});

test('whether a group is limited is read inside of it, whatever the engine was asked for', () => {
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

test('without an engine, or without its image, nothing runs and the reason says what to do', async () => {
  const { place } = engineThat('bare', '[ $1 = ps ] && exit 0; echo "Error: an-image: image not known" >&2; exit 125');
  for (const isolation of [place, { engine: join(folder, 'absent'), image: 'an-image' }]) {
    const report = await probeSandbox({ mode: 'container', ...isolation });
    expect(report).toMatchObject({
      holds: false,
      checks: [],
      reason: expect.stringContaining('and have the image an-image'),
    });
  }
});
