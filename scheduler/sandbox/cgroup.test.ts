// Control groups: the delegated folder, the limits, and with kernel support, the end of all processes in a group.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { notRun } from '../../test/support/needs.ts';
import { cgroupLimits, createCgroup, findDelegatedFolder } from './cgroup.ts';
import { LIMITS } from './program.ts';

const root = mkdtempSync(join(tmpdir(), 'pdm-cgroup-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const uid = statSync(root).uid;
const delegatedFolderOf = (group: string, ownerUid = uid) => {
  mkdirSync(join(root, group), { recursive: true });
  return findDelegatedFolder({ root, membership: `1:name=systemd:/old\n0::${group}\n`, uid: ownerUid });
};

test('uses the parent group if this user owns it, or for root if it is inside a unit', () => {
  expect(delegatedFolderOf('/user.slice/pdm.service/main')).toBe(join(root, 'user.slice/pdm.service'));
  expect(readFileSync(join(root, 'user.slice/pdm.service/cgroup.subtree_control'), 'utf8')).toBe('+memory +pids +cpu');
  // not delegated: the parent of the unit is the shared slice
  if (uid === 0) expect(delegatedFolderOf('/system.slice/other.service')).toBeNull();
  expect(delegatedFolderOf('/user.slice/third.service/main', uid + 1)).toBeNull();
});

test('returns null without a cgroup v2 group or a parent group', () => {
  for (const membership of ['', '4:memory:/docker/x\n', '0::/\n'])
    expect(findDelegatedFolder({ root, membership, uid })).toBeNull();
  expect(findDelegatedFolder({ root, membership: '0::/gone.service/main\n', uid })).toBeNull();
});

test('adds the overhead of the kernel to the limits of a program', () => {
  const MiB = 2 ** 20;
  expect(cgroupLimits({ ...LIMITS, memory: 1024 * MiB, threads: 64 }, false)).toEqual({
    'memory.max': String(1280 * MiB),
    'memory.oom.group': '1',
    'pids.max': '72',
    'cpu.weight': '3',
  });
  expect(cgroupLimits(LIMITS, true)['cpu.weight']).toBe('33');
});

test('joins the group before running the program, keeps its arguments, and does not run it if joining fails', () => {
  const folder = join(root, 'fake');
  mkdirSync(folder);
  const { enterCommand: enter } = createCgroup(folder, { 'pids.max': '9' });
  const [group = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, group, 'pids.max'), 'utf8')).toBe('9');
  const run = ([command = '', ...args]: string[]) =>
    spawnSync(command, [...args, process.execPath, '-p', '[process.pid, process.argv[1]]', 'a "b" $c'], {
      env: {},
      encoding: 'utf8',
    });
  const result = run(enter);
  expect(result.stdout).toBe(`[ ${readFileSync(join(folder, group, 'cgroup.procs'), 'utf8').trim()}, 'a "b" $c' ]\n`);
  rmSync(join(folder, group), { recursive: true });
  expect(run(enter)).toMatchObject({ stdout: '' });
  expect(run(enter).status).not.toBe(0);
});

/** Returns a folder of this machine where control groups can be created, with or without controllers. */
function findWritableFolder(): string | null {
  const mounted = /^cgroup2? (\S+) cgroup2 rw/m.exec(
    existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '',
  )?.[1];
  const folder = mounted && join(mounted, `pdm-test-${process.pid}`);
  if (!folder) return null;
  try {
    mkdirSync(folder);
    return folder;
  } catch {
    return null;
  }
}

test('kills all processes of a real control group', async ({ skip }) => {
  const folder = findWritableFolder();
  if (!folder) {
    return skip(notRun('control groups'));
  }
  try {
    const { enterCommand: enter, end } = createCgroup(folder, {});
    const [command = '', ...args] = enter;
    // its child leaves the process group, so that killing that group is not enough
    const program = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { detached: true, stdio: 'ignore' }); console.log('started')`;
    const child = spawn(command, [...args, process.execPath, '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const [group = ''] = readdirSync(folder).filter((name) => name.startsWith('pdm-'));
    const inside = readFileSync(join(folder, group, 'cgroup.procs'), 'utf8')
      .trim()
      .split('\n');
    expect(inside).toHaveLength(2);
    expect(await end()).toBe(false);
    // the kernel removes a group only after all its processes have ended
    expect(existsSync(join(folder, group))).toBe(false);
  } finally {
    rmdirSync(folder);
  }
});
