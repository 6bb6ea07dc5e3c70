/**
 * Plain ways to talk to a judge: to end at once, where a line of the statement's menu holds no value; to say the plainest
 * line in each turn, as often as the statement says or until the judge is silent. The judge decides which is valid. Pure.
 */
import {
  type Amount,
  amountText,
  fixed,
  isKnown,
  ofName,
  type Rows,
  type Talk,
  type Value,
} from './answer.ts';
import { amountOf, type Hints, hintsIn } from './styles.ts';
import type { Question, Understood } from './understanding.ts';

/** The likeliest first. */
export function talksOf({ statement }: Question, understood: Understood): readonly Talk[] {
  const { words, blocks, scalars } = understood;
  const lines = blocks.flatMap((block) => block.split(/\r?\n/).filter((line) => line.trim() !== ''));
  const hints = hintsIn(words, statement);
  const read = lines.map((line) => lineOf(line, `${words}\n${statement}`, hints));
  const endings = read.filter(({ isFixed }) => isFixed).toReversed();
  const spoken = [
    ...read.filter(({ isFixed }) => !isFixed),
    ...hints.words.slice(0, 2).map(alone),
    alone('0'),
  ];
  const turns = turnsIn(`${words}\n${statement}`, scalars);
  const until = spoken.slice(0, 3).flatMap((line) => goingOn(line, null));
  const counted = spoken.slice(0, 3).flatMap((line) => turns.flatMap((count) => goingOn(line, count)));
  // Dialogues of a fixed length come first; those that read until the judge stops need to know least.
  const going = [...counted.slice(0, 2), ...until, ...counted.slice(2)];
  const ended = endings.flatMap(({ rows }) => going.slice(0, 2).map((talk) => ({ ...talk, last: rows })));
  const atOnce = endings.map(({ text, rows }) => ({
    ...silence,
    told: `ends at once with ${text}`,
    last: rows,
  }));
  return [...atOnce, ...going, ...ended, silence];
}

type Line = { readonly text: string; readonly rows: Rows; readonly isFixed: boolean };

/** Free values become the least that is allowed; literal words stay. */
function lineOf(text: string, statement: string, { bounds }: Hints): Line {
  const words = text.trim().split(/\s+/);
  const isValue = (word: string): boolean =>
    /^[A-Za-z]\w*_/.test(word) || /^[A-Za-z]$/.test(word) || statement.includes(`$${word}$`);
  const values = words.map((word): Value => {
    if (!isValue(word)) return { type: 'text', text: word };
    const low = bounds.get(word.split('_')[0] ?? '')?.low;
    return { type: 'amount', amount: low?.names.length === 0 ? low : fixed(0) };
  });
  return { text: text.trim(), rows: rowOf(values), isFixed: !words.some(isValue) };
}

function rowOf(values: readonly Value[]): Rows {
  return { type: 'rows', rows: null, items: values.map((value) => ({ value, list: null, isGlued: false })) };
}

const alone = (text: string): Line => ({ text, rows: rowOf([{ type: 'text', text }]), isFixed: false });

/** Numbers before a word for turns, and numbers of the input, of which one may be how many there are. */
function turnsIn(text: string, scalars: readonly string[]): readonly Amount[] {
  const plain = text.replaceAll(/[${}\\ ]/g, '');
  const counted = /([A-Za-z0-9^]{1,8})(?:turns?|times|days?|queries|steps|rounds|ターン|回|日|個のクエリ)/gi;
  const named = [...plain.matchAll(counted)].flatMap(([, word = '']) => amountOf(word) ?? []);
  const all = [...named.filter((amount) => isKnown(amount, scalars)), ...scalars.map((name) => ofName(name))];
  return all.filter((each, at) => all.findIndex((one) => amountText(one) === amountText(each)) === at);
}

function goingOn({ text, rows }: Line, turns: Amount | null): readonly Talk[] {
  const howOften = turns ? `${amountText(turns)} times` : 'until the judge says no more';
  const talk = { turns, says: rows, last: null };
  const before: Talk = { ...talk, listens: 'before', told: `hears a line and says ${text}, ${howOften}` };
  if (!turns) return [before];
  return [{ ...talk, listens: 'after', told: `says ${text} and hears a line, ${howOften}` }, before];
}

const silence: Talk = {
  told: 'reads the input and says nothing',
  turns: fixed(0),
  listens: 'never',
  says: null,
  last: null,
};
