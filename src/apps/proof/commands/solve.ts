/**
 * `polya proof solve`: the loop of solver and graders on a problem from a file. One try at one problem is a run; several
 * are a run-set under one budget, in which the first accepted proof of a problem ends the others that are after it.
 */
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { tellSet } from '../../../cli/drive-set.ts';
import { launchRun } from '../../../cli/launch.ts';
import { launchSet, type RowOfMany } from '../../../cli/launch-set.ts';
import { addOptions, named } from '../../../cli/options.ts';
import { UserError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/json.ts';
import { readProblems } from '../../../families/proof/files.ts';
import type { PosedProblem } from '../../../families/proof/problems.ts';
import { localFiles } from '../../../io/local-files.ts';
import listed from '../options.json' with { type: 'json' };
import {
  callLimit,
  type JudgingOptions,
  judgingOptions,
  judgingSettings,
  proofReference,
} from '../options.ts';
import { printProof, warnLinesInCode } from '../tell.ts';

type Options = JudgingOptions & {
  readonly problem?: readonly string[];
  readonly agents: number;
  readonly concurrency?: number;
  readonly maxAttempts?: number;
  readonly passes?: number;
  readonly errors?: number;
  readonly iterations?: number;
  readonly pool?: number;
  readonly review?: boolean;
  readonly hint?: readonly string[];
};

const modelAdvice =
  'With `--model manual` you answer yourself: no key is needed. `polya demo proof` shows a proof that is found.';

export const proofSolve: CommandFile = {
  define(command: Command) {
    command.argument('<file>', 'the problem: text or Markdown with TeX (docs/proof.md)');
    addOptions(command, listed.solve);
    judgingOptions(command).addHelpText(
      'after',
      '\nExamples:\n  polya proof solve examples/proofs/odd-squares.md --model scripted/proof-odd-squares\n  polya proof solve imo.md --problem 3 --agents 4 --budget 20 --model openai/NAME --model grader=google/NAME',
    );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const references = await referencesOf(shell, command.processedArgs[0], options);
    const [only, ...siblings] = references;
    return only && siblings.length === 0 && options.agents === 1
      ? solveOne(shell, options, only)
      : solveMany(shell, options, references);
  },
};

async function referencesOf(shell: Shell, file: string, options: Options): Promise<readonly JsonObject[]> {
  const { problem: requested = [], rubric } = options;
  const problems = await readProblems(localFiles('.'), resolve(shell.folder, file));
  const selected = selectProblems(problems, requested, file);
  await warnLinesInCode(shell, file);
  return selected.map((problem) => proofReference(shell, file, { problem, rubric }));
}

/** Their names or numbers as a reference has them; none where the file holds one problem, and it is not named. */
function selectProblems(
  problems: readonly PosedProblem[],
  wanted: readonly string[],
  file: string,
): readonly (string | number | undefined)[] {
  const [only, ...siblings] = problems;
  if (wanted.length === 0 && only && siblings.length === 0) return [undefined];
  const isAll = (name: string) => name === 'all' && !problems.some((problem) => problem.name === 'all');
  if (wanted.some(isAll)) return problems.map(({ number }) => number);
  if (wanted.length > 0) return [...new Set(wanted)];
  const text = problems.map(({ number, title }) => `  ${number}  ${title}`).join('\n');
  throw new UserError({
    code: 'problem-not-chosen',
    what: `${file} holds ${problems.length} problems:\n${text}`,
    fix: '\nName one or several with --problem, by number or by name, or all of them with `--problem all`.',
  });
}

function settingsOf(options: Options): JsonObject {
  const { passes, errors: failures, iterations, maxAttempts: attempts, hint: hints, pool, review } = options;
  return {
    ...judgingSettings(options),
    ...named({ passes, failures, iterations, attempts, hints, pool, review }),
  };
}

function solveOne(shell: Shell, options: Options, problem: JsonObject): Promise<number> {
  return launchRun(shell, options, {
    family: 'proof',
    problem,
    agent: 'verify-loop',
    settings: settingsOf(options),
    modelAdvice,
    limits: callLimit(options),
    tell: async (result, polya) => {
      await printProof(shell, polya, result, options);
    },
  });
}

function solveMany(shell: Shell, options: Options, problems: readonly JsonObject[]): Promise<number> {
  const rows = problems.flatMap((problem) =>
    Array.from({ length: options.agents }, (_, index): RowOfMany => {
      const names = [
        problems.length > 1 && `problem ${problem.problem}`,
        options.agents > 1 && `agent ${index + 1}`,
      ];
      return {
        name: names.filter(Boolean).join(', '),
        family: 'proof',
        problem,
        agent: 'verify-loop',
        settings: settingsOf(options),
        limits: callLimit(options),
      };
    }),
  );
  return launchSet(shell, options, {
    name: `proofs of ${basename(String(problems[0]?.file))}`,
    rows,
    concurrency: rows.length,
    stopWhen: 'answered',
    stopWithin: 'problem',
    modelAdvice,
    tell(result) {
      tellSet(shell, result, options);
      for (const { runId, view } of result.rows) {
        if (view?.end?.outcome === 'answered')
          shell.err.write(`An accepted proof: ${shell.calledAs} proof show ${runId}\n`);
      }
    },
  });
}
