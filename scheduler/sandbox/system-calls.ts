// The Linux system calls that are blocked in the sandbox: processes, namespaces, network, mounts, tracing, memory
// outside the memory limit, keys, and kernel features that geometry does not need. The numbers are for x86-64 and
// arm64; null: the call does not exist there.

export type Architecture = 'x64' | 'arm64';

/** Calls that are allowed or blocked depending on their arguments. */
export const CONDITIONAL_CALLS: Record<Architecture, { mmap: number; clone: number; clone3: number }> = {
  x64: { mmap: 9, clone: 56, clone3: 435 },
  arm64: { mmap: 222, clone: 220, clone3: 435 },
};

export const EPERM = 1;
export const ENOSYS = 38;
/**
 * Flags of clone and mmap. Threads are allowed, processes are not; RLIMIT_DATA does not count shared and growing
 * mappings.
 */
export const CLONE_THREAD = 0x00010000;
export const MAP_SHARED = 0x0001;
export const MAP_GROWSDOWN = 0x0100;

/** The first call number that is newer than these lists, on all architectures. */
export const FIRST_UNLISTED = 452;

/** Returns the numbers of the calls that are always blocked. */
export function blockedCalls(architecture: Architecture): number[] {
  return Object.values(BLOCKED).flatMap(([x64, arm64]) => (architecture === 'x64' ? x64 : arm64) ?? []);
}

/**
 * Returns the same rules as a JSON seccomp profile for container engines, which identify calls by name. NEWER lists
 * known newer calls.
 */
export function containerSeccompProfile(): string {
  const block = (names: readonly string[], errnoRet: number, args: object[] = []) => ({
    names,
    action: 'SCMP_ACT_ERRNO',
    errnoRet,
    args,
  });
  const matchFlags = (index: number, mask: number, value: number) => [
    { index, value: mask, valueTwo: value, op: 'SCMP_CMP_MASKED_EQ' },
  ];
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ALLOW',
    syscalls: [
      block(Object.keys(BLOCKED), EPERM),
      block(['clone3', ...NEWER], ENOSYS),
      block(['clone'], EPERM, matchFlags(0, CLONE_THREAD, 0)),
      block(['mmap'], EPERM, matchFlags(3, MAP_SHARED, MAP_SHARED)),
      block(['mmap'], EPERM, matchFlags(3, MAP_GROWSDOWN, MAP_GROWSDOWN)),
    ],
  });
}

const NEWER =
  `map_shadow_stack futex_wake futex_wait futex_requeue statmount listmount lsm_get_self_attr lsm_set_self_attr
  lsm_list_modules mseal setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr`.split(
    /\s+/,
  );

const BLOCKED: Record<string, readonly [x64: number, arm64: number | null]> = {
  shmget: [29, 194],
  socket: [41, 198],
  fork: [57, null],
  vfork: [58, null],
  semget: [64, 190],
  msgget: [68, 186],
  setsid: [112, 157],
  ptrace: [101, 117],
  syslog: [103, 116],
  mknod: [133, null],
  uselib: [134, null],
  personality: [135, 92],
  sysfs: [139, null],
  vhangup: [153, 58],
  modify_ldt: [154, null],
  pivot_root: [155, 41],
  _sysctl: [156, null],
  adjtimex: [159, 171],
  chroot: [161, 51],
  acct: [163, 89],
  settimeofday: [164, 170],
  mount: [165, 40],
  umount2: [166, 39],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, null],
  ioperm: [173, null],
  init_module: [175, 105],
  delete_module: [176, 106],
  quotactl: [179, 60],
  nfsservctl: [180, 42],
  io_setup: [206, 0],
  io_submit: [209, 2],
  lookup_dcookie: [212, 18],
  clock_settime: [227, 112],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  mq_open: [240, 180],
  kexec_load: [246, 104],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  migrate_pages: [256, 238],
  mknodat: [259, 33],
  unshare: [272, 97],
  vmsplice: [278, 75],
  move_pages: [279, 239],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  clock_adjtime: [305, 266],
  setns: [308, 268],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  finit_module: [313, 273],
  kexec_file_load: [320, 294],
  memfd_create: [319, 279],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  pidfd_send_signal: [424, 424],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  process_madvise: [440, 440],
  mount_setattr: [442, 442],
  memfd_secret: [447, 447],
  process_mrelease: [448, 448],
};
