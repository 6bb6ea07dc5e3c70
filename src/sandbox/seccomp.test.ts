import { describe, expect, test } from 'vitest';
import { deniedCalls, type FilterArch, isFilterArch, judgedCalls, seccompFilter } from './seccomp.ts';

const allow = 0x7fff0000;
const kill = 0x80000000;
const errno = (number: number) => 0x00050000 | number;
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const audit = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** The kernel's part: runs the filter on one call. */
function judge(arch: FilterArch, number: number, args: readonly number[] = [], from = audit[arch]): number {
  const filter = seccompFilter(arch);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(from, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  let loaded = 0;
  for (let at = 0; ; at += 8) {
    const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const jump = (holds: boolean) => {
      at += 8 * filter.readUInt8(at + (holds ? 2 : 3));
    };
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x15) jump(loaded === value);
    else if (code === 0x35) jump(loaded >= value);
    else if (code === 0x45) jump((loaded & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`Unknown operation ${code}.`);
  }
}

const arches: readonly { arch: FilterArch; column: 0 | 1; ordinary: Record<string, number> }[] = [
  {
    arch: 'x64',
    column: 0,
    ordinary: { read: 0, write: 1, mmap: 9, fork: 57, execve: 59, futex: 202, openat: 257 },
  },
  {
    arch: 'arm64',
    column: 1,
    ordinary: { read: 63, write: 64, mmap: 222, execve: 221, futex: 98, openat: 56 },
  },
];

describe.each(arches)('the filter of $arch', ({ arch, column, ordinary }) => {
  const numberOf = (name: string) => {
    const call = deniedCalls[name] ?? judgedCalls[name];
    const number = call?.numbers[column];
    if (number === undefined || number === null) throw new Error(`${name} has no number.`);
    return number;
  };

  test('lets ordinary calls pass', () => {
    for (const number of Object.values(ordinary)) expect(judge(arch, number)).toBe(allow);
  });

  test('denies every call of the list', () => {
    for (const [name, call] of Object.entries(deniedCalls)) {
      const number = call.numbers[column];
      const verdict = { EPERM: errno(EPERM), ENOSYS: errno(ENOSYS), EAFNOSUPPORT: errno(EAFNOSUPPORT) };
      if (number !== null) expect([name, judge(arch, number)]).toEqual([name, verdict[call.errno]]);
    }
  });

  test('lets threads and children be made, but no namespaces', () => {
    const thread = 0x3d0f00;
    expect(judge(arch, numberOf('clone'), [thread])).toBe(allow);
    for (const flag of [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(judge(arch, numberOf('clone'), [thread | flag])).toBe(errno(EPERM));
    }
    expect(judge(arch, numberOf('clone3'))).toBe(errno(ENOSYS));
  });

  test('knows only the families of sockets that namespaces hold', () => {
    for (const family of [1, 2, 10]) expect(judge(arch, numberOf('socket'), [family])).toBe(allow);
    for (const family of [0, 16, 17, 38, 40]) {
      expect(judge(arch, numberOf('socket'), [family])).toBe(errno(EAFNOSUPPORT));
    }
  });

  test('lets a process change itself only', () => {
    for (const name of [
      'prlimit64',
      'sched_setaffinity',
      'sched_setscheduler',
      'sched_setparam',
      'sched_setattr',
    ]) {
      expect(judge(arch, numberOf(name), [0, 7])).toBe(allow);
      expect(judge(arch, numberOf(name), [1, 7])).toBe(errno(EPERM));
    }
    expect(judge(arch, numberOf('sched_setscheduler'), [17, 0])).toBe(allow);
    expect(judge(arch, numberOf('setpriority'), [0, 0, 19])).toBe(allow);
    expect(judge(arch, numberOf('setpriority'), [0, 1, 19])).toBe(errno(EPERM));
    expect(judge(arch, numberOf('setpriority'), [2, 0, 19])).toBe(errno(EPERM));
  });

  test('keeps terminals from being typed into', () => {
    expect(judge(arch, numberOf('ioctl'), [0, 0x5401])).toBe(allow);
    expect(judge(arch, numberOf('ioctl'), [0, 0x5412])).toBe(errno(EPERM));
    expect(judge(arch, numberOf('ioctl'), [0, 0x541c])).toBe(errno(EPERM));
  });

  test('ends what calls by another instruction set', () => {
    expect(judge(arch, 0, [], 0x40000003)).toBe(kill);
  });
});

test('x32 calls, which have numbers of their own, do not exist', () => {
  expect(judge('x64', 0x40000000 + 101)).toBe(errno(ENOSYS));
});

test('other processors are told apart', () => {
  expect(['x64', 'arm64', 'riscv64', 'ia32'].map(isFilterArch)).toEqual([true, true, false, false]);
});

test('no two calls of the list share a number', () => {
  for (const column of [0, 1] as const) {
    const calls = [...Object.values(deniedCalls), ...Object.values(judgedCalls)];
    const numbers = calls.map((call) => call.numbers[column]).filter((number) => number !== null);
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});
