/**
 * What every back-end of the `Sandbox` contract has to keep, told as programs that try to break it. It knows
 * nothing of the back-end but the contract; the programs run for real, on this machine.
 */
import { describe, expect, test } from 'vitest';
import type { ExecRequest, LanguageId, Sandbox } from '../../src/core/sandbox.ts';
import type { Bench, Scope } from './bench.ts';
import { accountTests } from './conformance-accounts.ts';
import { batchTests } from './conformance-batches.ts';
import { compileTests } from './conformance-compile.ts';
import { folderTests } from './conformance-folders.ts';
import { hostileTests } from './conformance-hostile.ts';
import { languageTests } from './conformance-languages.ts';
import { leftoverTests } from './conformance-leftovers.ts';
import { limitTests } from './conformance-limits.ts';
import { pairTests } from './conformance-pairs.ts';

export type ConformanceOptions = {
  readonly scope?: Scope;
  /** False where programs are on the bare machine. */
  readonly isolates?: boolean;
  /**
   * Whose runtimes are tried one by one; all are on the back-end that is everybody's default, and one that each other way
   * to start a program could spoil is enough elsewhere.
   */
  readonly languages?: readonly LanguageId[];
};

/** What takes a second takes long on a busy machine. */
const patient = { wallMs: 50_000, cpuMs: 50_000 };
/** What holds where a test names no limit: a compiler of 8 s needs minutes where ten others want the same processor. */
const patience = { limits: patient, compileLimits: { wallMs: 240_000, cpuMs: 120_000 } };

export function sandboxConformance(
  name: string,
  create: (limits: typeof patience) => Sandbox,
  {
    scope = 'everything',
    isolates = true,
    languages = ['kotlin', 'csharp', 'rust'],
  }: ConformanceOptions = {},
): void {
  const sandbox = create(patience);
  const exec = (request: ExecRequest, signal = new AbortController().signal) => sandbox.exec(request, signal);
  const python = async (source: string, request: Partial<ExecRequest> = {}) => {
    const limits = { ...patient, ...request.limits };
    const { compile, run } = await exec({ language: 'python', source, ...request, limits });
    expect(compile).toBeNull();
    if (run === null) throw new Error('A language without compilation did not run.');
    return run;
  };
  const pythonWithin: Bench['pythonWithin'] = (limits, source) => python(source, { limits });
  const bench: Bench = { exec, python, pythonWithin, sandbox, isolates, scope };
  describe(`${name} keeps the sandbox contract`, () => {
    accountTests(bench);
    batchTests(bench);
    // Its programs look for one another in places that only isolation gives them.
    if (isolates) leftoverTests(bench);
    limitTests(bench);
    hostileTests(bench);
    if (scope === 'limits') return;
    infoTests(bench);
    languageTests(bench, languages);
    pairTests(bench);
    if (scope === 'differences') return;
    folderTests(bench);
    if (scope === 'everything') compileTests(bench);
  });
}

function infoTests({ sandbox, isolates }: Bench): void {
  describe('info', () => {
    test('names the back-end, toolchains with versions, and how each limit is enforced', async () => {
      const info = await sandbox.info();
      expect(info.version).toMatch(/\d/);
      expect(info.isolation).toBe(isolates ? 'sandbox' : 'none');
      const names = info.toolchains.map(({ name }) => name);
      // Debian has none, so a machine may have it or not.
      expect(names.filter((name) => name !== 'dotnet')).toEqual([
        'python3',
        ...['g++20', 'g++23', 'clang++20', 'clang++23'],
        ...['kotlin', 'mono', 'rustc'],
      ]);
      for (const toolchain of info.toolchains) expect(toolchain.version).toMatch(/ \d+\.\d+/);
      expect(Object.keys(info.enforcement).sort()).toEqual(Object.keys(info.limits).sort());
    });

    test('is the same when asked again', async () => {
      const first = await sandbox.info();
      expect(await sandbox.info()).toEqual(first);
    });
  });
}
