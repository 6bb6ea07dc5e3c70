/** The kernel's filter in two forms: classic BPF for bubblewrap, and libseccomp's JSON for container engines. Pure. */
// It lists what is denied, because languages change; namespaces and a user without rights do most of the work.
import { z } from 'zod';
import listedCalls from './denied-calls.json' with { type: 'json' };

export type FilterArch = 'x64' | 'arm64';

/** `ifTrue` and `ifFalse`: how many instructions a jump leaves out. */
type Instruction = Readonly<Record<'code' | 'ifTrue' | 'ifFalse' | 'value', number>>;

/** BPF's operations, as linux/bpf_common.h composes them. */
const operations = {
  loadWord: 0x20,
  jumpIfEqual: 0x15,
  jumpIfGreaterOrEqual: 0x35,
  jumpIfBitsSet: 0x45,
  return: 0x06,
};
const returns = { allow: 0x7fff0000, killProcess: 0x80000000, errno: 0x00050000 };
/** Where things lie in struct seccomp_data; of an argument only the lower half is looked at. */
const offsets = { number: 0, arch: 4, argument: (index: number) => 16 + 8 * index };
const arches: Readonly<Record<FilterArch, { audit: number; column: 0 | 1 }>> = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
};
/** On x86_64, numbers from here on mean the x32 calls, which would pass by every rule. */
const firstX32Number = 0x40000000;

export function isFilterArch(arch: string): arch is FilterArch {
  return arch === 'x64' || arch === 'arm64';
}

export function seccompFilter(arch: FilterArch): Buffer {
  const { audit, column } = arches[arch];
  const program: Instruction[] = [
    load(offsets.arch),
    jumpInstruction(operations.jumpIfEqual, audit, 1, 0),
    result(returns.killProcess),
    load(offsets.number),
  ];
  if (arch === 'x64') {
    program.push(jumpInstruction(operations.jumpIfGreaterOrEqual, firstX32Number, 0, 1), deny('ENOSYS'));
  }
  for (const call of Object.values(deniedCalls)) program.push(...callRule(call, column, [deny(call.errno)]));
  for (const call of Object.values(judgedCalls)) program.push(...callRule(call, column, judgement(call)));
  program.push(result(returns.allow));
  return assembleFilter(program);
}

/** The number stays loaded for the rules behind, because every body ends in a return. */
function callRule(call: DeniedCall, column: 0 | 1, body: readonly Instruction[]): readonly Instruction[] {
  const number = call.numbers[column];
  if (number === null) return [];
  return [jumpInstruction(operations.jumpIfEqual, number, 0, body.length), ...body];
}

function judgement(call: JudgedCall): readonly Instruction[] {
  const { when } = call;
  if ('zeroArguments' in when) {
    const checks = when.zeroArguments.flatMap((argument) => [
      load(offsets.argument(argument)),
      jumpInstruction(operations.jumpIfEqual, 0, 1, 0),
      deny(call.errno),
    ]);
    return [...checks, result(returns.allow)];
  }
  const loaded = load(offsets.argument(when.argument));
  if ('denyBits' in when) {
    const check = jumpInstruction(operations.jumpIfBitsSet, when.denyBits, 0, 1);
    return [loaded, check, deny(call.errno), result(returns.allow)];
  }
  const [values, match, fallback] =
    'allowValues' in when
      ? [when.allowValues, result(returns.allow), deny(call.errno)]
      : [when.denyValues, deny(call.errno), result(returns.allow)];
  return [
    loaded,
    ...values.flatMap((value) => [jumpInstruction(operations.jumpIfEqual, value, 0, 1), match]),
    fallback,
  ];
}

function load(offset: number): Instruction {
  return { code: operations.loadWord, ifTrue: 0, ifFalse: 0, value: offset };
}

function jumpInstruction(code: number, value: number, ifTrue: number, ifFalse: number): Instruction {
  return { code, ifTrue, ifFalse, value };
}

function result(value: number): Instruction {
  return { code: operations.return, ifTrue: 0, ifFalse: 0, value };
}

function deny(errno: Errno): Instruction {
  return result(returns.errno | errnos[errno]);
}

/** Both processors are little-endian. */
function assembleFilter(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  }
  return bytes;
}

export type Profile = ReturnType<typeof seccompProfile>;

type Comparison = {
  readonly index: number;
  readonly op: string;
  readonly value: number;
  readonly valueTwo?: number;
};

/** The kernel looks at the lower half of these arguments only; so must the filter, or the upper half fools it. */
const lowerHalf = 0xffffffff;

export function seccompProfile() {
  return {
    defaultAction: 'SCMP_ACT_ALLOW',
    // Without sub-architectures: calls of x32 and of 32 bits would have other numbers and pass by every rule.
    archMap: [
      { architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] },
      { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: [] },
    ],
    syscalls: [
      ...Object.entries(deniedCalls).map(([name, { errno }]) => profileRule(name, errno, [])),
      ...Object.entries(judgedCalls).flatMap(([name, call]) =>
        comparisons(call.when).map((comparison) => profileRule(name, call.errno, [comparison])),
      ),
    ],
  };
}

function profileRule(name: string, errno: Errno, args: readonly Comparison[]) {
  return { names: [name], action: 'SCMP_ACT_ERRNO', errnoRet: errnos[errno], args };
}

/** Each denies alone, because libseccomp looks at an argument only once in a rule. */
function comparisons(when: JudgedCall['when']): readonly Comparison[] {
  if ('zeroArguments' in when) {
    return when.zeroArguments.map((index) => ({ index, op: 'SCMP_CMP_NE', value: 0 }));
  }
  const { argument: index } = when;
  if ('denyValues' in when) return when.denyValues.map((value) => equal(index, value));
  if ('denyBits' in when) {
    const bits = Array.from({ length: 32 }, (_, shift) => 2 ** shift);
    return bits
      .filter((bit) => Math.floor(when.denyBits / bit) % 2 === 1)
      .map((bit) => maskedComparison(index, bit, bit));
  }
  return outside(index, when.allowValues);
}

/** All that lies between and beyond the allowed values, which are few and near to one another. */
function outside(index: number, allowed: readonly number[]): readonly Comparison[] {
  const [lowest, highest] = [Math.min(...allowed), Math.max(...allowed)];
  const between = Array.from({ length: highest - lowest }, (_, offset) => lowest + offset);
  return [
    { index, op: 'SCMP_CMP_LT', value: lowest },
    ...between.filter((value) => !allowed.includes(value)).map((value) => equal(index, value)),
    { index, op: 'SCMP_CMP_GT', value: highest },
  ];
}

function equal(index: number, value: number): Comparison {
  return maskedComparison(index, lowerHalf, value);
}

function maskedComparison(index: number, mask: number, value: number): Comparison {
  return { index, op: 'SCMP_CMP_MASKED_EQ', value: mask, valueTwo: value };
}

export const errnos = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };
export type Errno = keyof typeof errnos;

const deniedCall = z.object({
  numbers: z.tuple([z.int().nullable(), z.int().nullable()]),
  errno: z.enum(['EPERM', 'ENOSYS', 'EAFNOSUPPORT']).default('EPERM'),
});
export type DeniedCall = z.infer<typeof deniedCall>;

/** The calls that no program needs here, by Linux's numbers: [x86_64, arm64], null where there is none. */
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
/** A lease delays whoever opens the file elsewhere; a notice names what others do in a folder. */
const observers = { F_SETLEASE: 1024, F_NOTIFY: 1026 };
const terminalInput = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c };
const runnerPid = 1;
/** Only on itself: the runner is a process of the same user, and must not be slowed down or starved of limits. */
const onItself = { zeroArguments: [0] };

export const judgedCalls: Readonly<Record<string, JudgedCall>> = {
  clone: { ...denied(56, 220), when: { argument: 0, denyBits: newNamespaces } },
  fcntl: { ...denied(72, 25), when: { argument: 1, denyValues: Object.values(observers) } },
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
