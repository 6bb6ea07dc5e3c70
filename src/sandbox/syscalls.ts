/**
 * What a sandboxed program may not ask the kernel for. It is a list of what is denied, not of what is allowed:
 * languages change, and namespaces and a user without rights do most of the work. Numbers are Linux's, which never
 * change: [x86_64, arm64], null where there is none.
 */

export const errnos = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };
export type Errno = keyof typeof errnos;

/** A call that no program needs here. */
export type DeniedCall = { readonly numbers: readonly [number | null, number | null]; readonly errno: Errno };

/** A call that is judged by its arguments; those not named in `when` are not looked at. */
export type JudgedCall = DeniedCall & {
  readonly when: /** Allowed where all of these arguments are 0. */
    | { readonly zeroArguments: readonly number[] }
    | { readonly argument: number; readonly allowValues: readonly number[] }
    | { readonly argument: number; readonly denyValues: readonly number[] }
    | { readonly argument: number; readonly denyBits: number };
};

const denied = (x64: number | null, arm64: number | null, errno: Errno = 'EPERM'): DeniedCall => ({
  numbers: [x64, arm64],
  errno,
});

export const deniedCalls: Readonly<Record<string, DeniedCall>> = {
  acct: denied(163, 89),
  add_key: denied(248, 217),
  adjtimex: denied(159, 171),
  bpf: denied(321, 280),
  clock_adjtime: denied(305, 266),
  clock_settime: denied(227, 112),
  // Its flags lie in memory, where a filter cannot look; libraries fall back to `clone`.
  clone3: denied(435, 435, 'ENOSYS'),
  delete_module: denied(176, 106),
  fanotify_init: denied(300, 262),
  finit_module: denied(313, 273),
  fsconfig: denied(431, 431),
  fsmount: denied(432, 432),
  fsopen: denied(430, 430),
  fspick: denied(433, 433),
  init_module: denied(175, 105),
  // Its operations pass by every other rule here.
  io_uring_enter: denied(426, 426, 'ENOSYS'),
  io_uring_register: denied(427, 427, 'ENOSYS'),
  io_uring_setup: denied(425, 425, 'ENOSYS'),
  ioperm: denied(173, null),
  iopl: denied(172, null),
  ioprio_set: denied(251, 30),
  kcmp: denied(312, 272),
  kexec_file_load: denied(320, 294),
  kexec_load: denied(246, 104),
  keyctl: denied(250, 219),
  lookup_dcookie: denied(212, 18),
  // Memory that no process shows as its own: without control groups nobody would count it.
  memfd_create: denied(319, 279, 'ENOSYS'),
  memfd_secret: denied(447, 447, 'ENOSYS'),
  msgget: denied(68, 186),
  // What they make outlives the processes, and the next case of a batch would find it.
  semget: denied(64, 190),
  shmget: denied(29, 194),
  migrate_pages: denied(256, 238),
  mount: denied(165, 40),
  mount_setattr: denied(442, 442),
  move_mount: denied(429, 429),
  move_pages: denied(279, 239),
  name_to_handle_at: denied(303, 264),
  open_by_handle_at: denied(304, 265),
  open_tree: denied(428, 428),
  perf_event_open: denied(298, 241),
  personality: denied(135, 92),
  pidfd_getfd: denied(438, 438),
  pivot_root: denied(155, 41),
  process_madvise: denied(440, 440),
  process_vm_readv: denied(310, 270),
  process_vm_writev: denied(311, 271),
  ptrace: denied(101, 117),
  quotactl: denied(179, 60),
  quotactl_fd: denied(443, 443),
  reboot: denied(169, 142),
  request_key: denied(249, 218),
  setdomainname: denied(171, 162),
  sethostname: denied(170, 161),
  setns: denied(308, 268),
  settimeofday: denied(164, 170),
  swapoff: denied(168, 225),
  swapon: denied(167, 224),
  syslog: denied(103, 116),
  umount2: denied(166, 39),
  unshare: denied(272, 97),
  uselib: denied(134, null),
  userfaultfd: denied(323, 282),
  vhangup: denied(153, 58),
};

const addressFamilies = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10 };
/** CLONE_NEWTIME, _NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET. */
const newNamespaces = 0x7e020080;
const terminalInput = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c };
const runnerPid = 1;
/** Only on itself: the runner is a process of the same user, and must not be slowed down or starved of limits. */
const onItself = { zeroArguments: [0] };

export const judgedCalls: Readonly<Record<string, JudgedCall>> = {
  clone: { ...denied(56, 220), when: { argument: 0, denyBits: newNamespaces } },
  ioctl: { ...denied(16, 29), when: { argument: 1, denyValues: Object.values(terminalInput) } },
  prlimit64: { ...denied(302, 261), when: onItself },
  sched_setaffinity: { ...denied(203, 122), when: onItself },
  sched_setattr: { ...denied(314, 274), when: onItself },
  sched_setparam: { ...denied(142, 118), when: onItself },
  // Mono does it to each of its threads, by number, and complains on stdout where it may not.
  sched_setscheduler: { ...denied(144, 119), when: { argument: 0, denyValues: [runnerPid] } },
  setpriority: { ...denied(141, 140), when: { zeroArguments: [0, 1] } },
  // Virtual machines' sockets and netlink know no network namespaces, or open much kernel code.
  socket: {
    ...denied(41, 198, 'EAFNOSUPPORT'),
    when: { argument: 0, allowValues: Object.values(addressFamilies) },
  },
};
