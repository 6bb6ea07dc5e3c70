/** `polya answers`: hold the comparison against cases, compare two answers, find the answer in a reply. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  agree as agreeOn,
  type Checked,
  checkCases,
  type EqualOptions,
  equal,
  extract,
  openAnswers,
  type ProfileName,
  type Verdict,
  type WrongJudgement,
} from '../../../answers/index.ts';
import { type CommandFile, printDocument, type Shell } from '../../../cli/contract.ts';
import { addOptions } from '../../../cli/options.ts';
import { readText } from '../../../cli/readable.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { count, escapedJson, oneLine, truncate } from '../../../text/format.ts';
import { readCases } from '../answer-cases.ts';
import listed from '../options.json' with { type: 'json' };

const leastAgreement = 0.95;

/** Ends with 1 below that agreement, or on any false equal. */
export const answersCheck: CommandFile = {
  define(command: Command) {
    command
      .argument('<file>', 'cases, one JSON object a line; see docs/answers.md')
      .option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const cases = readCases(resolve(shell.folder, command.processedArgs[0]));
    const checked = checkCases(cases, await openAnswers());
    if (command.opts<{ json?: boolean }>().json) shell.out.write(`${escapedJson(jsonOf(checked), 2)}\n`);
    else printChecked(shell, checked);
    return hasPassed(checked) ? exitCodes.ok : exitCodes.unsolved;
  },
};

function hasPassed({ cases, right, falseEquals }: Checked): boolean {
  return falseEquals.length === 0 && right / cases >= leastAgreement;
}

function printChecked(shell: Shell, checked: Checked): void {
  const { cases, right, falseEquals, falseDifferences } = checked;
  const share = `${((100 * right) / cases).toFixed(1)}%`;
  const missing = `${count(falseEquals.length, 'false equal')}, ${count(falseDifferences.length, 'false difference')}`;
  const painted = shell.out.paint(hasPassed(checked) ? 'good' : 'bad', share);
  shell.out.write(`${painted} of ${count(cases, 'case')}: ${missing}\n`);
  for (const miss of falseEquals) shell.out.write(formatMiss('false equal', miss));
  for (const miss of falseDifferences) shell.out.write(formatMiss('false difference', miss));
}

function formatMiss(word: string, { case: each, at, reason }: WrongJudgement): string {
  const [gold, answer] = [each.gold, each.answer].map((text) => truncate(oneLine(text), 160));
  return `${word}, case ${at + 1}\n  gold    ${gold}\n  answer  ${answer}\n  why     ${oneLine(reason)}\n`;
}

function jsonOf({ cases, right, falseEquals, falseDifferences }: Checked) {
  const misses = (found: readonly WrongJudgement[]) =>
    found.map(({ case: { gold, answer }, at, reason }) => ({ case: at + 1, gold, answer, reason }));
  return {
    cases,
    right,
    agreement: right / cases,
    falseEquals: misses(falseEquals),
    falseDifferences: misses(falseDifferences),
  };
}

type EqualCommandOptions = {
  readonly precision?: number;
  readonly percent?: NonNullable<EqualOptions['percent']>;
  readonly strict: boolean;
  readonly sets?: boolean;
  readonly agree?: boolean;
  readonly extract?: ProfileName;
  readonly json?: boolean;
};

/** Ends with 0 where they are equal, else with 1. */
export const answersEqual: CommandFile = {
  define(command: Command) {
    command
      .argument('<gold>', 'the answer that is right')
      .argument('<answer>', 'the answer that is looked at; put -- before answers that begin with a minus');
    addOptions(command, listed.equal);
  },
  async run(shell, command) {
    const [gold, reply]: readonly string[] = command.processedArgs;
    const options = command.opts<EqualCommandOptions>();
    const verdict = await verdictOn(gold ?? '', reply ?? '', options);
    if (options.json) shell.out.write(`${escapedJson(verdict, 2)}\n`);
    else {
      const word = verdict.equal ? shell.out.paint('good', 'equal') : shell.out.paint('bad', 'not equal');
      shell.out.write(`${word} (${verdict.basis}; ${verdict.rule}): ${oneLine(verdict.reason)}\n`);
      shell.out.write(`  gold    ${oneLine(verdict.gold)}\n  answer  ${oneLine(verdict.answer)}\n`);
    }
    return verdict.equal ? exitCodes.ok : exitCodes.unsolved;
  },
};

async function verdictOn(
  gold: string,
  reply: string,
  { sets, strict, ...options }: EqualCommandOptions,
): Promise<Verdict> {
  const { precision, percent, extract: profile, agree } = options;
  const equalOptions: EqualOptions = { strict, precision, percent, allowSetRelation: sets };
  const [a, b] = [gold, reply].map((text) => (profile ? (extract(text, { profile }).answer ?? '') : text));
  return (agree ? agreeOn : equal)(a ?? '', b ?? '', equalOptions);
}

type ExtractCommandOptions = {
  readonly file?: string;
  readonly profile: ProfileName;
  readonly several: 'last' | 'first' | 'refuse';
  readonly json?: boolean;
};

/** Ends with 1 where there is no answer. */
export const answersExtract: CommandFile = {
  define(command: Command) {
    addOptions(command.argument('[reply]', 'the reply itself'), listed.extract);
  },
  async run(shell, command) {
    const { file, json, ...options } = command.opts<ExtractCommandOptions>();
    const found = extract(replyOf(shell, command.processedArgs[0], file), options);
    if (json) shell.out.write(`${escapedJson(found, 2)}\n`);
    else if (found.answer) printDocument(shell.out, `${found.answer.text}\n`);
    if (!json) shell.err.write(`${found.answer ? 'Found by' : 'No answer'}: ${found.how}.\n`);
    return found.answer ? exitCodes.ok : exitCodes.unsolved;
  },
};

function replyOf(shell: Shell, reply: string | undefined, file: string | undefined): string {
  if ((reply === undefined) === (file === undefined)) {
    throw new UserError({
      code: 'no-reply',
      what: reply === undefined ? 'No reply is given.' : 'A reply is given, and a file.',
      fix: 'Give the reply as the one argument, or its file with --file.',
    });
  }
  if (file === undefined) return reply ?? '';
  return readText(resolve(shell.folder, file), `The reply in ${file}`, { fix: 'Name a text file.' });
}
