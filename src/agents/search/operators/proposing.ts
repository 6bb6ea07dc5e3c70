/**
 * The operators that ask a model: each is a request, a way to read the reply, and what is said where it cannot be read.
 * A change whose blocks do not match is sent back once with what the program looks like there; then the whole program
 * is asked for.
 */
import type { Run } from '../../../core/agent.ts';
import type { Message } from '../../../core/model.ts';
import { modelSettings, user } from '../../kit/asking.ts';
import { codeBlocks } from '../../kit/code.ts';
import { ask, type Draft, line, Meter, type ProposerRole, type Reply } from '../asking.ts';
import { asOneFile } from '../first-programs.ts';
import type { Island } from '../population.ts';
import { lookAtClock, ofUseIn, type Search } from '../search.ts';
import { applyBlocks, blocksIn, type Made } from './blocks.ts';

/** Where and by whom a candidate is made. */
export type Work = {
  readonly search: Search;
  readonly island: Island;
  readonly run: Run;
  /** Tells what is being waited for. */
  readonly doing: (what: string) => void;
  /** Who writes the program. */
  readonly role: ProposerRole;
};

type Asked = {
  readonly messages: readonly Message[];
  /** What blocks are applied to; null: a whole program is asked for. */
  readonly base: string | null;
  /** What was asked for, where the model does not say what it did. */
  readonly otherwise: string;
};

/** `isUnanswered`: the model failed or refused. */
export type Proposal = Draft & { readonly isUnanswered: boolean };

const repliesRead = 3;

export async function propose({ search, run, role, doing }: Work, asked: Asked): Promise<Proposal> {
  const { base, otherwise } = asked;
  const meter = new Meter();
  const messages = [...asked.messages];
  let [trouble, summary] = ['', otherwise];
  for (let reply = 0; reply < repliesRead; reply += 1) {
    const settings = modelSettings(search.settings);
    const answer = await ask(run, { role, messages, settings, use: ofUseIn(search) }, meter);
    const common = { ...meter.spent, summary };
    if (!answer.ok) return { ...common, source: null, detail: answer.why, isUnanswered: true };
    if (reply === 0) summary = ideaIn(answer.text, otherwise);
    const read = readProposal(answer, base);
    if (read.source !== null) {
      const source = await asOneFile(run, search.problem, read.source);
      return { ...common, summary, source, detail: '', isUnanswered: false };
    }
    trouble = read.trouble;
    if (reply + 1 < repliesRead && !(await lookAtClock(search, run))) break;
    const isLastChange = base !== null && reply + 2 === repliesRead;
    doing(isLastChange ? 'asks for the whole program' : 'sends back a reply that cannot be used');
    const again = run.prompt(isLastChange || base === null ? 'wholeInstead' : 'mismatch', { trouble });
    messages.push(answer.message, user(again));
  }
  return { ...meter.spent, summary, source: null, detail: trouble, isUnanswered: false };
}

/** Blocks where there are any; a model that wrote the whole program instead of blocks has answered as well. */
function readProposal({ text, finish }: Reply, base: string | null): Made {
  const isCutOff = finish === 'length';
  if (base === null) return wholeProgramIn(text, isCutOff);
  const blocks = blocksIn(text);
  if (blocks === null) {
    const why = isCutOff ? 'the reply was cut off' : 'its end is missing';
    return { source: null, trouble: `A SEARCH/REPLACE block is begun and not ended: ${why}.` };
  }
  if (blocks.length > 0) return applyBlocks(base, blocks);
  const whole = wholeProgramIn(text, isCutOff);
  if (whole.source !== null && whole.source.length > base.length * leastOfWhole) return whole;
  return applyBlocks(base, []);
}

/** A shorter block of code is an example, and no program. */
const leastOfWhole = 0.4;

/** The longest block that is closed: models quote pieces before and after it. */
export function wholeProgramIn(text: string, isCutOff: boolean): Made {
  const blocks = codeBlocks(text).filter(({ code }) => code.trim() !== '');
  const longest = blocks
    .filter(({ isClosed }) => isClosed)
    .toSorted((a, b) => b.code.length - a.code.length)[0];
  const open = blocks.find(({ isClosed }) => !isClosed);
  if (open && open.code.length > (longest?.code.length ?? 0)) {
    // A fence that was forgotten at the very end is no loss; a reply that was cut off is.
    if (!isCutOff) return { source: withEnd(open.code) };
    return { source: null, trouble: 'The reply was cut off before the program ended. Write a shorter one.' };
  }
  if (longest) return { source: withEnd(longest.code) };
  const trouble = 'There is no program in the reply: write it whole, in one fenced block of code.';
  return { source: null, trouble };
}
const withEnd = (code: string): string => `${code.trimEnd()}\n`;

/** `IDEA: …`, else the first words that are no code. */
export function ideaIn(text: string, otherwise: string): string {
  const said = /^(?:[*#>]|[^\S\r\n\u2028\u2029])*idea[\s*]*[::][\s*]*(.+)$/im.exec(text)?.[1];
  const first = text
    .replaceAll(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, '')
    .replaceAll(/<{5,9}\s*SEARCH[\s\S]*?(?:>{5,9}\s*REPLACE|$(?![\s\S]))/g, '')
    .split('\n')
    .find((each) => /\w/.test(each));
  return line(said ?? first ?? otherwise);
}
