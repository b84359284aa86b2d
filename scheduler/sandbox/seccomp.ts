// Builds the seccomp filter (classic BPF) of the sandbox without a native module. It blocks the calls in
// system-calls.ts, returns ENOSYS for calls newer than that list, and allows all others.
import {
  type Architecture,
  blockedCalls,
  CLONE_THREAD,
  CONDITIONAL_CALLS,
  ENOSYS,
  EPERM,
  FIRST_UNLISTED,
  MAP_GROWSDOWN,
  MAP_SHARED,
} from './system-calls.ts';

/** The kernel's AUDIT_ARCH values. 32-bit programs have other values. */
const AUDIT_ARCH: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const X32_BIT = 0x40000000;

// BPF operations, and the offsets in struct seccomp_data.
const LOAD = 0x20;
const JUMP_EQ = 0x15;
const JUMP_GE = 0x35;
const JUMP_SET = 0x45;
const RETURN = 0x06;
const AT = { call: 0, arch: 4, argument: (index: number) => 16 + 8 * index }; // the low 32 bits
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const returnErrno = (errno: number) => 0x00050000 | errno;

/** Returns the filter as an array of struct sock_filter. Throws an Error on architectures other than x86-64 and arm64. */
export function createSeccompFilter(arch: string = process.arch): Buffer {
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`no seccomp filter for ${arch}`);
  const { mmap, clone, clone3 } = CONDITIONAL_CALLS[arch];
  const code: [number, number, number, number][] = [];
  const op = (operation: number, value: number, ifTrue = 0, ifFalse = 0) =>
    void code.push([operation, ifTrue, ifFalse, value >>> 0]);

  op(LOAD, AT.arch);
  op(JUMP_EQ, AUDIT_ARCH[arch], 1, 0);
  op(RETURN, KILL_PROCESS); // 32-bit system calls have other numbers

  op(LOAD, AT.call);
  op(JUMP_GE, X32_BIT, 0, 1);
  op(RETURN, returnErrno(ENOSYS));

  // clone3 has its flags in memory, where the filter cannot read them; libc falls back to clone
  op(JUMP_EQ, clone3, 0, 1);
  op(RETURN, returnErrno(ENOSYS));

  op(JUMP_EQ, clone, 0, 4);
  op(LOAD, AT.argument(0));
  op(JUMP_SET, CLONE_THREAD, 0, 1);
  op(RETURN, ALLOW); // threads
  op(RETURN, returnErrno(EPERM)); // processes

  op(JUMP_EQ, mmap, 0, 4);
  op(LOAD, AT.argument(3));
  op(JUMP_SET, MAP_SHARED | MAP_GROWSDOWN, 0, 1);
  op(RETURN, returnErrno(EPERM));
  op(RETURN, ALLOW);

  for (const number of blockedCalls(arch)) {
    op(JUMP_EQ, number, 0, 1);
    op(RETURN, returnErrno(EPERM));
  }
  op(JUMP_GE, FIRST_UNLISTED, 0, 1);
  op(RETURN, returnErrno(ENOSYS));
  op(RETURN, ALLOW);

  const bytes = Buffer.alloc(code.length * 8);
  for (const [i, [operation, ifTrue, ifFalse, value]] of code.entries()) {
    bytes.writeUInt16LE(operation, i * 8);
    bytes.writeUInt8(ifTrue, i * 8 + 2);
    bytes.writeUInt8(ifFalse, i * 8 + 3);
    bytes.writeUInt32LE(value, i * 8 + 4);
  }
  return bytes;
}
