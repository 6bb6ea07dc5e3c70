/**
 * `polya exec`: a program in the sandbox, by hand, with the verdicts that agents get. It asks no model and writes no
 * journal. All that can be wrong with what it is given is said before anything is executed.
 */
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import type { BatchRequest, Case, Program, SandboxInfo, Tester } from '../../core/sandbox.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { runBatch } from '../exec/batch.ts';
import { casesIn, type NamedCase, readCases } from '../exec/cases.ts';
import { checkOnly } from '../exec/check.ts';
import { interruptibly } from '../exec/interruption.ts';
import { runOne } from '../exec/one.ts';
import { compileLimitsOf, type ExecOptions, execOptions, limitsOf } from '../exec/options.ts';
import { readFiles, readProgram, readStdin, refuseContradictions, refuseMissing } from '../exec/program.ts';
import { withPolya } from '../journals.ts';
import { backendIn } from '../options.ts';

/** What a tester that talks on its own stdin finds its input as. */
const testerInput = 'input.txt';

export const exec: CommandFile = {
  define: (command: Command) => {
    execOptions(command);
  },
  async run(shell, command) {
    const [file = '', operands = []]: [string?, string[]?] = command.processedArgs as [string, string[]];
    const options = command.opts<ExecOptions>();
    const args = [...(options.args ?? []), ...operands];
    refuseContradictions(file, options, args.length > 0);
    const asked = await read(shell, file, options);
    return withPolya(
      shell,
      async ({ world }) => {
        const { sandbox } = world.io;
        const info = await sandbox.info();
        refuseMissing(info, asked.program);
        const setting = { shell, sandbox, info, isJson: Boolean(options.json), program: asked.program };
        const limits = limitsOf(options, info);
        const compileLimits = compileLimitsOf(options);
        const request = { ...asked.program, compileLimits };
        return interruptibly(shell, (signal) => {
          if (options.check) return checkOnly({ ...setting, request }, signal);
          const { stdin, cases } = asked;
          if (!cases && !asked.tester) {
            return runOne({ ...setting, request: { ...request, stdin, args, limits } }, signal);
          }
          const batch = batchOf(asked, { options, info, args });
          return runBatch({ ...setting, ...batch }, signal);
        });
      },
      backendIn(options),
    );
  },
};

type Asked = {
  readonly program: Program;
  readonly tester: Program | null;
  readonly stdin: Uint8Array;
  /** Null: one run with `stdin`. */
  readonly cases: readonly NamedCase[] | null;
};

async function read(shell: Shell, file: string, options: ExecOptions): Promise<Asked> {
  const { lang, toolchain, tester, testerLang, cases } = options;
  const program = await readProgram(shell, file, { lang, toolchain });
  return {
    program: { ...program, files: readFiles(shell, options) },
    tester:
      tester === undefined
        ? null
        : await readProgram(shell, tester, { lang: testerLang, toolchain: undefined }),
    stdin: await readStdin(shell, options),
    cases: cases === undefined ? null : casesIn(shell, cases),
  };
}

type Order = { readonly options: ExecOptions; readonly info: SandboxInfo; readonly args: readonly string[] };

function batchOf(
  { program, tester, stdin, cases }: Asked,
  { options, info, args }: Order,
): { request: BatchRequest; cases: readonly NamedCase[] } {
  const { workers, talks } = options;
  const compileLimits = compileLimitsOf(options);
  const caseOf = (name: string, input: Uint8Array): Case => {
    if (!tester) return { name, stdin: input, args };
    if (talks === 'relay') return { name, stdin: input };
    return { name, files: { [testerInput]: input }, args: [testerInput] };
  };
  const named = cases ?? [{ name: 'input', input: '', expected: null }];
  const talker: Tester | undefined = tester ? { program: { ...tester, compileLimits }, talks } : undefined;
  const request = {
    program: { ...program, compileLimits },
    cases: cases ? readCases(cases, caseOf) : [caseOf('input', stdin)],
    limits: { ...roomToCompare(named, info), ...limitsOf(options, info) },
    ...(workers === undefined ? {} : { workers }),
    ...(talker ? { tester: talker } : {}),
  };
  return { request, cases: named };
}

/** As much of an output is kept as is needed to see that it is right. */
function roomToCompare(cases: readonly NamedCase[], { limits }: SandboxInfo) {
  const sizes = cases.map(({ expected }) => (expected === null ? 0 : statSync(expected).size));
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  return { outputBytes: Math.max(limits.outputBytes, 2 * largest) };
}
