/**
 * A contest of our own, from its page to the comparison of two programs: the very commands that a competitor types, in a
 * folder that is gone afterwards. No model is asked, and no script plays one: it is no run, so it is shown by itself.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import { loadAhc } from '../../index.ts';
import type { CommandFile } from '../command.ts';
import { ahcInit } from '../commands/ahc-init.ts';
import { ahcTest } from '../commands/ahc-test.ts';
import type { Output, Shell } from '../shell.ts';
import { ahcCall, harmlessJson } from '../text.ts';

const contest = 'polya001';

export const ahcTitle = 'A contest: its workspace, and what two programs are worth in it.';

const label =
  'No model is asked and nothing is paid: contest and programs are our own. The site (HTTP on this machine), the official tools, the sandbox and the scores are real.';

type Step = {
  readonly name: string;
  readonly file: CommandFile;
  /** Where its user stands. */
  readonly folder: string;
  readonly argv: readonly string[];
  /** As its user would type it. */
  readonly typed: string;
};

export async function showAhc(shell: Shell, isJson: boolean): Promise<number> {
  const ahc = await loadAhc();
  const site = await ahc.startAtCoder();
  const folder = mkdtempSync(join(tmpdir(), 'polya-demo-'));
  mkdirSync(join(folder, contest));
  for (const name of ['weak', 'good'] as const)
    copyFileSync(ahc.solutionOf(contest, name), join(folder, contest, `${name}.cpp`));
  const told: unknown[] = [];
  try {
    shell.err.write(`\n${shell.err.paint('strong', ahcTitle)}\n${label}\n`);
    for (const step of stepsIn(folder, site.url)) {
      shell.err.write(`\n$ ${shell.err.paint('accent', `${ahcCall(shell)} ${step.typed}`)}\n`);
      const kept: string[] = [];
      const out = isJson ? keeping(shell.out, kept) : shell.out;
      const code = await call({ ...shell, folder: step.folder, out }, step, isJson);
      if (isJson) told.push({ command: step.typed, exitCode: code, result: parsed(kept.join('')) });
      if (code !== exitCodes.ok) return end(shell, { isJson, told, code });
    }
    return end(shell, { isJson, told, code: exitCodes.ok });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await site.close();
  }
}

function stepsIn(folder: string, url: string): readonly Step[] {
  // It is ours, whatever the clock of this machine says.
  const elsewhere = ['--workspace-root', folder, '--site', url, '--i-confirm-the-rules-allow-this'];
  const inside = join(folder, contest);
  const test = (typed: string): Step => ({
    ...{ name: 'test', file: ahcTest, folder: inside },
    ...{ argv: typed.split(' '), typed: `test ${typed}` },
  });
  return [
    {
      ...{ name: 'init', file: ahcInit, folder },
      ...{ argv: [contest, ...elsewhere], typed: `init ${contest}` },
    },
    test('weak.cpp --cases 0-9'),
    test('good.cpp --cases 0-9 --vs last'),
  ];
}

async function call(shell: Shell, { name, file, argv }: Step, isJson: boolean): Promise<number> {
  const command = new Command(name).exitOverride();
  let code: number = exitCodes.ok;
  file.define(command);
  command.action(async () => {
    code = await file.run(shell, command);
  });
  await command.parseAsync([...argv, ...(isJson ? ['--json'] : [])], { from: 'user' });
  return code;
}

function keeping(output: Output, kept: string[]): Output {
  return Object.create(output, { write: { value: (text: string) => kept.push(text) } });
}

function parsed(text: string): unknown {
  return text === '' ? null : JSON.parse(text);
}

function end(
  shell: Shell,
  {
    isJson,
    told,
    code,
  }: { readonly isJson: boolean; readonly told: readonly unknown[]; readonly code: number },
): number {
  if (isJson) shell.out.write(`${harmlessJson({ demo: 'ahc', label, steps: told }, 2)}\n`);
  else if (code === exitCodes.ok) {
    shell.out.write(
      `\nWhat to try next:\n  ${ahcCall(shell)} init ${contest}\n      the same contest, to beat the good solution in\n  ${ahcCall(shell)} init polya003\n      one in which the judge answers\n`,
    );
  }
  return code;
}
