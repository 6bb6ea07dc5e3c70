import { expect, test } from 'vitest';
import { deniedCalls, judgedCalls, type Profile, seccompProfile } from '../seccomp.ts';

const profile = seccompProfile();

/** As libseccomp judges: the arguments are whole 64-bit numbers. */
function errnoOf({ syscalls }: Profile, name: string, args: readonly bigint[]): number | null {
  const compare = (op: string, value: bigint, [first, second]: readonly [bigint, bigint]) =>
    ({
      SCMP_CMP_NE: value !== first,
      SCMP_CMP_LT: value < first,
      SCMP_CMP_GT: value > first,
      SCMP_CMP_MASKED_EQ: (value & first) === second,
    })[op];
  const rule = syscalls.find(
    ({ names, args: rules }) =>
      names.includes(name) &&
      rules.every(({ index, op, value, valueTwo = 0 }) =>
        compare(op, args[index] ?? 0n, [BigInt(value), BigInt(valueTwo)]),
      ),
  );
  return rule?.errnoRet ?? null;
}

test('what no program needs is denied, with the error that its libraries expect', () => {
  expect(errnoOf(profile, 'mount', [])).toBe(1);
  expect(errnoOf(profile, 'clone3', [])).toBe(38);
  for (const name of Object.keys(deniedCalls)) expect(errnoOf(profile, name, [])).not.toBeNull();
  expect(errnoOf(profile, 'read', [])).toBeNull();
});

test('sockets of the three usual families only, whatever the upper half says', () => {
  const families = Array.from({ length: 50 }, (_, family) => family);
  const allowed = families.filter((family) => errnoOf(profile, 'socket', [BigInt(family)]) === null);
  expect(allowed).toEqual([1, 2, 10]);
  expect(errnoOf(profile, 'socket', [(1n << 32n) | 16n])).toBe(97);
});

test('new namespaces, terminal input and the runner’s scheduling are out of reach', () => {
  const clone = (flags: bigint) => errnoOf(profile, 'clone', [flags]);
  expect(clone(0x01200011n)).toBeNull();
  for (const flag of [0x20000n, 0x10000000n, 0x40000000n]) expect(clone(flag | 17n)).toBe(1);
  const ioctl = (request: bigint) => errnoOf(profile, 'ioctl', [1n, request]);
  expect(ioctl(0x5401n)).toBeNull();
  for (const request of [0x5412n, (1n << 32n) | 0x5412n, 0x541cn]) expect(ioctl(request)).toBe(1);
  expect(errnoOf(profile, 'sched_setscheduler', [0n])).toBeNull();
  expect(errnoOf(profile, 'sched_setscheduler', [1n])).toBe(1);
  expect(errnoOf(profile, 'prlimit64', [0n])).toBeNull();
  expect(errnoOf(profile, 'prlimit64', [7n])).toBe(1);
  expect(errnoOf(profile, 'setpriority', [0n, 0n])).toBeNull();
  expect(errnoOf(profile, 'setpriority', [0n, 1n])).toBe(1);
});

test('every call that is judged by its arguments has a rule', () => {
  const names = new Set(profile.syscalls.flatMap(({ names }) => names));
  for (const name of Object.keys(judgedCalls)) expect(names).toContain(name);
});
