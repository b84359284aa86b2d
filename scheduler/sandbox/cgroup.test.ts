// Control groups: which folder is ours to make them in, what is written into them, and, where this machine lets us, that whoever enters one cannot leave.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cgroupLimits, findDelegatedFolder, createCgroup } from './cgroup.ts';
import { LIMITS } from './program.ts';

const root = mkdtempSync(join(tmpdir(), 'pdm-cgroup-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const uid = statSync(root).uid;
const folderOf = (own: string, of = uid) => {
  mkdirSync(join(root, own), { recursive: true });
  return findDelegatedFolder({ root, membership: `1:name=systemd:/old\n0::${own}\n`, uid: of });
};

test('the group above ours is used where it is ours: of our user, or for root inside a unit', () => {
  expect(folderOf('/user.slice/pdm.service/main')).toBe(join(root, 'user.slice/pdm.service'));
  expect(readFileSync(join(root, 'user.slice/pdm.service/cgroup.subtree_control'), 'utf8')).toBe('+memory +pids +cpu');
  // not delegated: the unit itself, of which the one above is the slice of everybody
  if (uid === 0) expect(folderOf('/system.slice/other.service')).toBeNull();
  expect(folderOf('/user.slice/third.service/main', uid + 1)).toBeNull();
});

test('without a group of the second version, or without one above, there is none', () => {
  for (const membership of ['', '4:memory:/docker/x\n', '0::/\n'])
    expect(findDelegatedFolder({ root, membership, uid })).toBeNull();
  expect(findDelegatedFolder({ root, membership: '0::/gone.service/main\n', uid })).toBeNull();
});

test('the limits of a program are those of its group, with room for what the kernel counts besides', () => {
  const MiB = 2 ** 20;
  expect(cgroupLimits({ ...LIMITS, memory: 1024 * MiB, threads: 64 }, false)).toEqual({
    'memory.max': String(1280 * MiB),
    'memory.oom.group': '1',
    'pids.max': '72',
    'cpu.weight': '3',
  });
  expect(cgroupLimits(LIMITS, true)['cpu.weight']).toBe('33');
});

test('a program enters before it runs, keeps its arguments, and does not run where it cannot enter', () => {
  const folder = join(root, 'fake');
  mkdirSync(folder);
  const { enter } = createCgroup(folder, { 'pids.max': '9' });
  const [made = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, made, 'pids.max'), 'utf8')).toBe('9');
  const run = ([command = '', ...args]: string[]) =>
    spawnSync(command, [...args, process.execPath, '-p', '[process.pid, process.argv[1]]', 'a "b" $c'], {
      env: {},
      encoding: 'utf8',
    });
  const ran = run(enter);
  expect(ran.stdout).toBe(`[ ${readFileSync(join(folder, made, 'cgroup.procs'), 'utf8').trim()}, 'a "b" $c' ]\n`);
  rmSync(join(folder, made), { recursive: true });
  expect(run(enter)).toMatchObject({ stdout: '' });
  expect(run(enter).status).not.toBe(0);
});

/** A place of this machine where control groups can be made, with or without controllers. */
function writablePlace(): string | null {
  const mounted = /^cgroup2? (\S+) cgroup2 rw/m.exec(
    existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '',
  )?.[1];
  const place = mounted && join(mounted, `pdm-test-${process.pid}`);
  if (!place) return null;
  try {
    mkdirSync(place);
    return place;
  } catch {
    return null;
  }
}

test('in the real thing nothing that was started outlives the group', async ({ skip }) => {
  const place = writablePlace();
  if (!place) {
    console.warn('NOT RUN: control groups of the kernel, because none can be made here');
    return skip();
  }
  try {
    const { enter, end } = createCgroup(place, {});
    const [command = '', ...args] = enter;
    // its child leaves the process group, which the launcher kills
    const program = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { detached: true, stdio: 'ignore' }); console.log('started')`;
    const child = spawn(command, [...args, process.execPath, '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const [group = ''] = readdirSync(place).filter((name) => name.startsWith('pdm-'));
    const inside = readFileSync(join(place, group, 'cgroup.procs'), 'utf8')
      .trim()
      .split('\n');
    expect(inside).toHaveLength(2);
    expect(await end()).toBe(false);
    // the kernel removes no group of living processes
    expect(existsSync(join(place, group))).toBe(false);
  } finally {
    rmdirSync(place);
  }
});
