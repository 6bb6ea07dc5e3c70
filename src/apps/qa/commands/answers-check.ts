/** `polya answers check FILE`: agreement with a file of cases. Ends with 1 below 95 %, or on any false equal. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Checked, checkCases, type Miss, openAnswers } from '../../../answers/index.ts';
import type { CommandFile, Shell } from '../../../cli/contract.ts';
import { exitCodes } from '../../../core/errors.ts';
import { clip, count, harmlessJson, oneLine } from '../../../text/format.ts';
import { readCases } from '../answer-cases.ts';

const leastAgreement = 0.95;

export const answersCheck: CommandFile = {
  define(command: Command) {
    command
      .argument('<file>', 'cases, one JSON object a line; see docs/answers.md')
      .option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const cases = readCases(resolve(shell.folder, command.processedArgs[0]));
    const checked = checkCases(cases, await openAnswers());
    if (command.opts<{ json?: boolean }>().json) shell.out.write(`${harmlessJson(jsonOf(checked), 2)}\n`);
    else tell(shell, checked);
    return isGood(checked) ? exitCodes.ok : exitCodes.unsolved;
  },
};

function isGood({ cases, right, falseEquals }: Checked): boolean {
  return falseEquals.length === 0 && right / cases >= leastAgreement;
}

function tell(shell: Shell, checked: Checked): void {
  const { cases, right, falseEquals, falseDifferences } = checked;
  const share = `${((100 * right) / cases).toFixed(1)}%`;
  shell.out.write(
    `${shell.out.paint(isGood(checked) ? 'good' : 'bad', share)} of ${count(cases, 'case')}: ${count(falseEquals.length, 'false equal')}, ${count(falseDifferences.length, 'false difference')}\n`,
  );
  for (const [word, misses] of [
    ['false equal', falseEquals],
    ['false difference', falseDifferences],
  ] as const) {
    for (const miss of misses) shell.out.write(missText(word, miss));
  }
}

function missText(word: string, { case: each, at, reason }: Miss): string {
  const [gold, answer] = [each.gold, each.answer].map((text) => clip(oneLine(text), 160));
  return `${word}, case ${at + 1}\n  gold    ${gold}\n  answer  ${answer}\n  why     ${oneLine(reason)}\n`;
}

function jsonOf({ cases, right, falseEquals, falseDifferences }: Checked) {
  const misses = (found: readonly Miss[]) =>
    found.map(({ case: { gold, answer }, at, reason }) => ({ case: at + 1, gold, answer, reason }));
  return {
    cases,
    right,
    agreement: right / cases,
    falseEquals: misses(falseEquals),
    falseDifferences: misses(falseDifferences),
  };
}
