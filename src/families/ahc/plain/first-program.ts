/**
 * The program that a search begins with, as `init` leaves it in the workspace: source and account of how it was found. A
 * program that no judge has called valid is told to be none. What is there and cannot be read counts as not there.
 */
import { z } from 'zod';
import type { Folder } from '../../../core/io.ts';
import { jsonIn, jsonText } from '../../../core/json.ts';
import { layout } from '../layout.ts';
import { guessAnswer } from './bank.ts';
import { readingProgram, solutionTemplate } from './cpp.ts';
import { type Question, understand } from './understanding.ts';

export const firstProgramAccount = z.object({
  version: z.literal(1),
  /** What it was found for; of something else it says nothing. */
  key: z.string(),
  /** Whether it talks to its judge. */
  isInteractive: z.boolean(),
  /**
   * `judged`: the official tools called it valid on all `cases`. `read`: as the statement was understood, or as its samples
   * are; no tool has seen it. `none`: nothing was found that is valid; it reads the input, where that was understood.
   */
  how: z.enum(['judged', 'read', 'none']),
  /** What it prints: `in order from 1`. Empty for `none`. */
  told: z.string(),
  /** Inputs on which it was tried. */
  cases: z.number().int().nonnegative(),
  /** Mean score there; null where nothing scores. */
  score: z.number().nullable(),
  /** Answers that were tried to find it. */
  tried: z.number().int().nonnegative(),
});

export type FirstProgramAccount = z.infer<typeof firstProgramAccount>;

export type FirstProgram = { readonly source: string; readonly account: FirstProgramAccount };

export async function readFirstProgram(folder: Folder): Promise<FirstProgram | null> {
  const source = await folder.read(layout.firstProgram);
  const account = firstProgramAccount.safeParse(jsonIn(await folder.read(layout.firstProgramAccount)));
  return source !== null && account.success ? { source, account: account.data } : null;
}

export function accountText(account: FirstProgramAccount): string {
  return jsonText(firstProgramAccount.parse(account));
}

const later = '-later';

/** The key of a search that its time ended: the next `init` goes on, with more of it. */
export const leftFor = (key: string): string => `${key}${later}`;

/** One sentence, for people and for the analysis of a session. */
export function tellFirstProgram({ how, told, cases, tried, key }: FirstProgramAccount): string {
  const among = `${tried} ${tried === 1 ? 'answer' : 'answers'}`;
  if (how === 'judged') return `${told}: valid on ${cases} of ${cases} inputs (${among} tried)`;
  if (how === 'read') return `${told}: as the statement was understood, judged by no tool`;
  if (key.endsWith(later))
    return `none yet, and left for later: \`polya ahc init\` again goes on looking (${among} tried)`;
  return tried === 0
    ? 'none: no plain answer was understood from the statement'
    : `none: of ${among} that were tried none is valid`;
}

export type TemplateQuestion = Question & {
  /** The workspace's own `main.cpp`. */
  readonly main: string | null;
  /** What `init` found, if it came so far. */
  readonly first: FirstProgram | null;
};

/** `told`: what it prints, and how that is known; empty where nothing is to be said. */
export type Template = { readonly source: string; readonly told: string };

/**
 * Best first: a program that a judge has called valid, or that is known to be; the user's own; one whose answer was
 * understood from the statement; one that reads the input; the one that `init` puts there.
 */
export function templateOf(question: TemplateQuestion): Template {
  const { main, isInteractive } = question;
  const first = question.first?.account.isInteractive === isInteractive ? question.first : null;
  const found = first && { source: first.source, told: tellFirstProgram(first.account) };
  if (found && first.account.how === 'judged') return found;
  const understood = understand(question);
  const guess = guessAnswer(question, understood);
  const guessed = guess && { source: guess.source, told: `${guess.told}: judged by no tool` };
  if (guessed && guess.isSure) return guessed;
  if (main !== null && isTheirs(main, first?.source ?? null))
    return { source: main, told: 'main.cpp, as its user wrote it' };
  return guessed ?? { source: readingProgram(understood), told: '' };
}

/** Whether a `main.cpp` is its user's: neither empty nor as `init` left it. `first`: the first program that `init` found. */
export function isTheirs(main: string, first: string | null): boolean {
  return !['', solutionTemplate.trim(), first?.trim()].includes(main.trim());
}
