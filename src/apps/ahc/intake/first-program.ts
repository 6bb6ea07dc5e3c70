/**
 * The program that a search begins with, found once, when a workspace is made: by the official tools where they work here,
 * else by the statement and its samples. It stands in `problem/`, and `main.cpp` begins as it is. `init` is the place for
 * it because answers have to be tried to be known, and a problem is posed without running anything.
 */
import { UnavailableError } from '../../../core/errors.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { type ContestFile, contestOf } from '../../../families/ahc/contest.ts';
import { type TestCase, ToolsDoNotBuild } from '../../../families/ahc/judge/evaluate.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { guessAnswer } from '../../../families/ahc/plain/bank.ts';
import {
  accountText,
  type FirstProgram,
  type FirstProgramAccount,
  readFirstProgram,
} from '../../../families/ahc/plain/first-program.ts';
import { readingProgram } from '../../../families/ahc/plain/program.ts';
import {
  type Question,
  questionIn,
  type Understood,
  understand,
} from '../../../families/ahc/plain/understanding.ts';
import { type Choice, chooseByJudge } from './choose.ts';
import { cratePlaced, type ToolsWork } from './tools/work.ts';

export type FirstWork = Pick<ToolsWork, 'keeper' | 'parts' | 'signal'> & {
  readonly contest: ContestFile;
  readonly config: Pick<Resolved, 'get'>;
  /** Whether the tools work here. */
  readonly isBuilt: boolean;
};

export async function bringFirstProgram(work: FirstWork): Promise<FirstProgramAccount> {
  const { keeper } = work;
  const key = await keyOf(work);
  const known = await readFirstProgram(keeper.folder);
  const found = known?.account.key === key ? known : await find(work, key);
  await keeper.renew(layout.firstProgram, found.source);
  await keeper.renew(layout.firstProgramAccount, accountText(found.account));
  await keeper.add(layout.solution, found.source);
  return found.account;
}

/** What decides which answers there are, and whether they were tried. */
async function keyOf({ keeper: { folder }, parts, contest, config, isBuilt }: FirstWork): Promise<string> {
  const { isInteractive, tools } = contestOf(contest, config);
  const format = await folder.read(layout.inputFormat);
  const isThere = (await folder.files(layout.inputs)).length > 0;
  return parts.sha256(JSON.stringify([1, format, isInteractive, tools, isBuilt, isThere])).slice(0, 16);
}

async function find(work: FirstWork, key: string): Promise<FirstProgram> {
  const { keeper, contest, config } = work;
  const { isInteractive } = contestOf(contest, config);
  const statement = (await keeper.folder.read(layout.statement)) ?? '';
  const question = await questionIn(keeper.folder, { isInteractive, statement });
  const understood = understand(question);
  const choice = await tryAll(work, question, understood);
  const common = {
    ...{ version: 1 as const, key, isInteractive, cases: 0, score: null },
    tried: choice?.tried ?? 0,
  };
  if (choice && choice.source !== null) {
    const { source, told, score, cases } = choice;
    return { source, account: { ...common, how: 'judged', told, score, cases } };
  }
  const guess = choice ? null : guessAnswer(question, understood);
  if (guess) return { source: guess.source, account: { ...common, how: 'read', told: guess.told } };
  return { source: readingProgram(understood), account: { ...common, how: 'none', told: '' } };
}

/** Inputs on which the program has to be valid. */
const mostCases = 30;

/** Null where no tool can be asked. */
async function tryAll(
  work: FirstWork,
  question: Question,
  understood: Understood,
): Promise<(Choice & { readonly cases: number }) | null> {
  const { keeper, parts, signal, isBuilt, config } = work;
  const contest = contestOf(work.contest, config);
  const tool = contest.isInteractive ? contest.tools?.tester : contest.tools?.judge;
  const crate = await cratePlaced(keeper);
  const cases = await casesIn(work);
  if (!isBuilt || !tool || !crate || cases.length === 0) return null;
  parts.onProgress('trying plain answers for a first program');
  try {
    const { sandbox, clock } = parts;
    const trial = { now: clock.now, sandbox, contest, crate, question, understood, cases, signal };
    return { ...(await chooseByJudge(trial)), cases: cases.length };
  } catch (error) {
    // What cannot be run here is told where the tools are.
    if (error instanceof UnavailableError || error instanceof ToolsDoNotBuild) return null;
    throw error;
  }
}

async function casesIn({ keeper: { folder } }: FirstWork): Promise<readonly TestCase[]> {
  const names = (await folder.files(layout.inputs)).filter((name) => /^[^/]+\.txt$/.test(name)).toSorted();
  const cases = await Promise.all(
    names
      .slice(0, mostCases)
      .map(async (name) => ({ name, input: (await folder.read(`${layout.inputs}/${name}`)) ?? '' })),
  );
  return cases.filter(({ input }) => input !== '');
}
