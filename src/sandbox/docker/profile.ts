/**
 * The same list of denied calls as bubblewrap's filter has (syscalls.ts), in the form that container engines take:
 * JSON after libseccomp. Pure. The engine makes the filter, for the machine's own instruction set only.
 */
import { deniedCalls, type Errno, errnos, type JudgedCall, judgedCalls } from '../syscalls.ts';

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
      ...Object.entries(deniedCalls).map(([name, { errno }]) => rule(name, errno, [])),
      ...Object.entries(judgedCalls).flatMap(([name, call]) =>
        comparisons(call.when).map((comparison) => rule(name, call.errno, [comparison])),
      ),
    ],
  };
}

function rule(name: string, errno: Errno, args: readonly Comparison[]) {
  return { names: [name], action: 'SCMP_ACT_ERRNO', errnoRet: errnos[errno], args };
}

/** Each denies alone, because libseccomp looks at an argument only once in a rule. */
function comparisons(when: JudgedCall['when']): readonly Comparison[] {
  if ('allowOnly' in when) {
    return when.allowOnly.map(({ argument, value }) => ({ index: argument, op: 'SCMP_CMP_NE', value }));
  }
  const { argument: index } = when;
  if ('denyValues' in when) return when.denyValues.map((value) => equal(index, value));
  if ('denyBits' in when) return bitsOf(when.denyBits).map((bit) => masked(index, bit, bit));
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
  return masked(index, lowerHalf, value);
}

function masked(index: number, mask: number, value: number): Comparison {
  return { index, op: 'SCMP_CMP_MASKED_EQ', value: mask, valueTwo: value };
}

function bitsOf(bits: number): readonly number[] {
  const all = Array.from({ length: 32 }, (_, shift) => 2 ** shift);
  return all.filter((bit) => Math.floor(bits / bit) % 2 === 1);
}
