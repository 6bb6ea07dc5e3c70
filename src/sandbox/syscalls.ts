/**
 * What a sandboxed program may not ask the kernel for. It is a list of what is denied, not of what is allowed:
 * languages change, and namespaces and a user without rights do most of the work. Numbers are Linux's, which never
 * change: [x86_64, arm64], null where there is none.
 */
import { z } from 'zod';
import listedCalls from './denied-calls.json' with { type: 'json' };

export const errnos = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };
export type Errno = keyof typeof errnos;

const deniedCall = z.object({
  numbers: z.tuple([z.int().nullable(), z.int().nullable()]),
  errno: z.enum(['EPERM', 'ENOSYS', 'EAFNOSUPPORT']).default('EPERM'),
});
export type DeniedCall = z.infer<typeof deniedCall>;

/** The calls that no program needs here. */
export const deniedCalls = z.record(z.string(), deniedCall).parse(listedCalls);

/** A call that is judged by its arguments; those not named in `when` are not looked at. */
export type JudgedCall = DeniedCall & {
  readonly when: /** Allowed where all of these arguments are 0. */
    | { readonly zeroArguments: readonly number[] }
    | { readonly argument: number; readonly allowValues: readonly number[] }
    | { readonly argument: number; readonly denyValues: readonly number[] }
    | { readonly argument: number; readonly denyBits: number };
};

function denied(x64: number, arm64: number, errno: Errno = 'EPERM'): DeniedCall {
  return { numbers: [x64, arm64], errno };
}

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
