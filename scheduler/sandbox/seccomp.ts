// Builds the sandbox's seccomp filter (classic BPF, x86-64) as bytes, with no native module.
// Everything is allowed except: network, other processes, new namespaces, mounts, tracing, memory that the
// memory limit does not count, and kernel surface that a geometry program never needs. Unknown (newer)
// calls answer ENOSYS.

const EPERM = 1;
const ENOSYS = 38;

const ARCH_X86_64 = 0xc000003e;
const X32_BIT = 0x40000000;
const FIRST_UNKNOWN_CALL = 452; // calls after this list was made
const CLONE_THREAD = 0x00010000;
const MAP_SHARED = 0x0001; // shared and stack-like mappings are outside RLIMIT_DATA
const MAP_GROWSDOWN = 0x0100;
const CALL = { mmap: 9, clone: 56, clone3: 435 };

const REFUSED = {
  shmget: 29,
  socket: 41,
  fork: 57,
  vfork: 58,
  semget: 64,
  msgget: 68,
  ptrace: 101,
  syslog: 103,
  mknod: 133,
  uselib: 134,
  personality: 135,
  sysfs: 139,
  vhangup: 153,
  modify_ldt: 154,
  pivot_root: 155,
  _sysctl: 156,
  adjtimex: 159,
  chroot: 161,
  acct: 163,
  settimeofday: 164,
  mount: 165,
  umount2: 166,
  swapon: 167,
  swapoff: 168,
  reboot: 169,
  sethostname: 170,
  setdomainname: 171,
  iopl: 172,
  ioperm: 173,
  init_module: 175,
  delete_module: 176,
  quotactl: 179,
  nfsservctl: 180,
  io_setup: 206,
  io_submit: 209,
  lookup_dcookie: 212,
  clock_settime: 227,
  mbind: 237,
  set_mempolicy: 238,
  mq_open: 240,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  migrate_pages: 256,
  mknodat: 259,
  unshare: 272,
  vmsplice: 278,
  move_pages: 279,
  perf_event_open: 298,
  fanotify_init: 300,
  name_to_handle_at: 303,
  open_by_handle_at: 304,
  clock_adjtime: 305,
  setns: 308,
  process_vm_readv: 310,
  process_vm_writev: 311,
  kcmp: 312,
  finit_module: 313,
  kexec_file_load: 320,
  memfd_create: 319,
  bpf: 321,
  userfaultfd: 323,
  pidfd_send_signal: 424,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_open: 434,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  memfd_secret: 447,
  process_mrelease: 448,
};

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

/** The filter as the kernel takes it. Throws where there is no table of calls: on any other processor than x86-64. */
export function seccompProgram(arch: string = process.arch): Buffer {
  if (arch !== 'x64') throw new Error(`no seccomp table for ${arch}`);
  const code: [number, number, number, number][] = [];
  const op = (operation: number, value: number, ifTrue = 0, ifFalse = 0) => void code.push([operation, ifTrue, ifFalse, value >>> 0]);

  op(LOAD, AT.arch);
  op(JUMP_EQ, ARCH_X86_64, 1, 0);
  op(RETURN, KILL_PROCESS); // 32-bit calls have other numbers

  op(LOAD, AT.call);
  op(JUMP_GE, X32_BIT, 0, 1);
  op(RETURN, refuse(ENOSYS));

  op(JUMP_EQ, CALL.clone3, 0, 1); // its flags lie in memory, out of the filter's sight:
  op(RETURN, refuse(ENOSYS)); //     libc falls back to clone

  op(JUMP_EQ, CALL.clone, 0, 4);
  op(LOAD, AT.argument(0));
  op(JUMP_SET, CLONE_THREAD, 0, 1);
  op(RETURN, ALLOW); // threads
  op(RETURN, refuse(EPERM)); // processes

  op(JUMP_EQ, CALL.mmap, 0, 4);
  op(LOAD, AT.argument(3));
  op(JUMP_SET, MAP_SHARED | MAP_GROWSDOWN, 0, 1);
  op(RETURN, refuse(EPERM));
  op(RETURN, ALLOW);

  for (const number of Object.values(REFUSED)) {
    op(JUMP_EQ, number, 0, 1);
    op(RETURN, refuse(EPERM));
  }
  op(JUMP_GE, FIRST_UNKNOWN_CALL, 0, 1);
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
