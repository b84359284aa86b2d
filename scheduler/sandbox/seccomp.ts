// Builds the sandbox's seccomp filter (classic BPF) as bytes, with no native module. Everything is allowed but what system-calls.ts lists; calls newer than
// the list answer ENOSYS.
import {
  CLONE_THREAD,
  ENOSYS,
  EPERM,
  FIRST_UNLISTED,
  MAP_GROWSDOWN,
  MAP_SHARED,
  type Processor,
  blockedCalls,
  CONDITIONAL_CALLS,
} from './system-calls.ts';

/** What the kernel calls the processors. A 32-bit program on them is another one, with other numbers. */
const AUDIT_ARCH: Record<Processor, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const X32_BIT = 0x40000000;

// BPF operations, and where seccomp_data holds what they look at.
const LOAD = 0x20;
const JUMP_EQ = 0x15;
const JUMP_GE = 0x35;
const JUMP_SET = 0x45;
const RETURN = 0x06;
const AT = { call: 0, arch: 4, argument: (index: number) => 16 + 8 * index }; // low half of an argument
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const refuse = (errno: number) => 0x00050000 | errno;

/** The filter as the kernel takes it. Throws where there is no table of calls: on any other processor than x86-64 and arm64. */
export function createSeccompFilter(arch: string = process.arch): Buffer {
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`no seccomp table for ${arch}`);
  const { mmap, clone, clone3 } = CONDITIONAL_CALLS[arch];
  const code: [number, number, number, number][] = [];
  const op = (operation: number, value: number, ifTrue = 0, ifFalse = 0) =>
    void code.push([operation, ifTrue, ifFalse, value >>> 0]);

  op(LOAD, AT.arch);
  op(JUMP_EQ, AUDIT_ARCH[arch], 1, 0);
  op(RETURN, KILL_PROCESS); // 32-bit calls have other numbers

  op(LOAD, AT.call);
  op(JUMP_GE, X32_BIT, 0, 1);
  op(RETURN, refuse(ENOSYS));

  op(JUMP_EQ, clone3, 0, 1); // its flags lie in memory, out of the filter's sight:
  op(RETURN, refuse(ENOSYS)); //     libc falls back to clone

  op(JUMP_EQ, clone, 0, 4);
  op(LOAD, AT.argument(0));
  op(JUMP_SET, CLONE_THREAD, 0, 1);
  op(RETURN, ALLOW); // threads
  op(RETURN, refuse(EPERM)); // processes

  op(JUMP_EQ, mmap, 0, 4);
  op(LOAD, AT.argument(3));
  op(JUMP_SET, MAP_SHARED | MAP_GROWSDOWN, 0, 1);
  op(RETURN, refuse(EPERM));
  op(RETURN, ALLOW);

  for (const number of blockedCalls(arch)) {
    op(JUMP_EQ, number, 0, 1);
    op(RETURN, refuse(EPERM));
  }
  op(JUMP_GE, FIRST_UNLISTED, 0, 1);
  op(RETURN, refuse(ENOSYS));
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
