// Interprets the seccomp filter for every system call number of each architecture, with the numbers from the kernel
// headers.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSeccompFilter } from './seccomp.ts';

const ALLOW = 'allow';
const KILL = 'kill';
const EPERM = 'errno 1';
const ENOSYS = 'errno 38';
const ARCH = { x64: 0xc000003e, arm64: 0xc00000b7, arm: 0x40000028, i386: 0x40000003 };
const HEADERS = { x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', arm64: '/usr/include/asm-generic/unistd.h' };
const architectures = ['x64', 'arm64'] as const;

/** Interprets the filter (classic BPF, only the operations it uses) and returns the action for a system call. */
function evaluate(program: Buffer, call: number, { arch, args = [] }: { arch: number; args?: number[] }): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(arch, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const operation = program.readUInt16LE(at);
    const value = program.readUInt32LE(at + 4);
    const jump = (holds: boolean) => {
      at += 8 * program.readUInt8(at + (holds ? 2 : 3));
    };
    if (operation === 0x20) loaded = data.readUInt32LE(value);
    else if (operation === 0x15) jump(loaded === value);
    else if (operation === 0x35) jump(loaded >= value);
    else if (operation === 0x45) jump((loaded & value) !== 0);
    else if (operation === 0x06)
      return value === 0x7fff0000 ? ALLOW : value === 0x80000000 ? KILL : `errno ${value & 0xffff}`;
    else throw new Error(`unknown operation: ${operation}`);
  }
  throw new Error('the filter ends without a return');
}

/** Returns the system call numbers of a architecture by name, from the kernel headers. */
function callsOf(architecture: 'x64' | 'arm64'): Map<string, number> {
  const defined = readFileSync(HEADERS[architecture], 'utf8').matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm);
  return new Map([...defined].map(([, name = '', number]) => [name, Number(number)]));
}

// By name, independent of the numbers in the code.
const BLOCKED = new Set(
  `shmget socket fork vfork semget msgget setsid ptrace syslog mknod uselib personality sysfs vhangup modify_ldt
  pivot_root _sysctl adjtimex chroot acct settimeofday mount umount2 swapon swapoff reboot sethostname setdomainname
  iopl ioperm init_module delete_module quotactl nfsservctl io_setup io_submit lookup_dcookie clock_settime mbind
  set_mempolicy mq_open kexec_load add_key request_key keyctl migrate_pages mknodat unshare vmsplice move_pages
  perf_event_open fanotify_init name_to_handle_at open_by_handle_at clock_adjtime setns process_vm_readv
  process_vm_writev kcmp finit_module kexec_file_load memfd_create bpf userfaultfd pidfd_send_signal io_uring_setup
  io_uring_enter io_uring_register open_tree move_mount fsopen fsconfig fsmount fspick pidfd_open pidfd_getfd
  process_madvise mount_setattr memfd_secret process_mrelease`.split(/\s+/),
);
// Node needs these calls.
const REQUIRED = [
  'read',
  'write',
  'openat',
  'futex',
  'mprotect',
  'munmap',
  'epoll_pwait',
  'exit_group',
  'rt_sigaction',
  'getrandom',
  'execve',
];

test.each(architectures)('blocks exactly the listed calls on %s', (architecture) => {
  if (!existsSync(HEADERS[architecture]))
    return console.warn(`SKIPPED: the system calls of ${architecture}, because the kernel headers are not installed`);
  const program = createSeccompFilter(architecture);
  const calls = callsOf(architecture);
  const arch = ARCH[architecture];
  for (const name of REQUIRED)
    expect([name, evaluate(program, calls.get(name) ?? -1, { arch })]).toEqual([name, ALLOW]);
  const names = new Map([...calls].map(([name, number]) => [number, name]));
  for (let call = 0; call < 600; call++) {
    const name = names.get(call) ?? '';
    if (name === 'clone' || name === 'mmap') continue;
    const listed = BLOCKED.has(name) ? EPERM : ALLOW;
    const expected = call >= 452 || name === 'clone3' ? ENOSYS : listed;
    expect([call, name, evaluate(program, call, { arch })]).toEqual([call, name, expected]);
  }
});

test.each([
  ['x64', 56, 9],
  ['arm64', 220, 222],
] as const)(
  'allows threads and private memory, and blocks processes and shared or growing memory, on %s',
  (architecture, clone, mmap) => {
    const evaluateCall = (call: number, args: number[]) =>
      evaluate(createSeccompFilter(architecture), call, { arch: ARCH[architecture], args });
    const THREAD = 0x3d0f00; // the flags that libc uses for threads
    expect([evaluateCall(clone, [THREAD]), evaluateCall(clone, [17]), evaluateCall(clone, [0x10000000 | 17])]).toEqual([
      ALLOW,
      EPERM,
      EPERM,
    ]);
    const [PRIVATE, ANONYMOUS] = [0x02, 0x20];
    expect([PRIVATE, PRIVATE | ANONYMOUS].map((flags) => evaluateCall(mmap, [0, 4096, 3, flags]))).toEqual([
      ALLOW,
      ALLOW,
    ]);
    expect(
      [0x01, 0x03, 0x01 | ANONYMOUS, PRIVATE | 0x0100].map((flags) => evaluateCall(mmap, [0, 4096, 3, flags])),
    ).toEqual(Array(4).fill(EPERM));
  },
);

test.each(architectures)(
  'kills programs for another architecture and returns ENOSYS for foreign call numbers on %s',
  (architecture) => {
    const program = createSeccompFilter(architecture);
    for (const [name, arch] of Object.entries(ARCH))
      if (name !== architecture) expect(evaluate(program, 0, { arch })).toBe(KILL);
    for (const call of [0x40000000, 0x40000029, 0x7fffffff, 0xffffffff])
      expect(evaluate(program, call, { arch: ARCH[architecture] })).toBe(ENOSYS);
  },
);

test('throws on an unsupported architecture', () => {
  expect(() => createSeccompFilter('riscv64')).toThrow('no seccomp filter for riscv64');
});
