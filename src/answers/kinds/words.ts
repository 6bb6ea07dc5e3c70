/** Words, letters of choices, times and dates: they equal what says the same. */
import { different, same } from '../options.ts';
import { variableLetters } from '../parse/words.ts';
import { orderByKind, type Rule } from './rule.ts';

export const words: Rule = (gold, reply) => {
  if (!orderByKind('text', gold, reply)) return null;
  const [a, b] = [variableLetters(gold), variableLetters(reply)].map(bare);
  if (a === undefined || b === undefined) return different('text', 'one is words, the other is not');
  return a === b && a !== '' ? same('text', 'the same words') : different('text', 'other words');
};

/** Of words their letters count; of what could not be read every character does. */
function bare(text: string | null): string | undefined {
  const isWords = text !== null && /^[\p{L}\p{M}\s'.,-]+$/u.test(text);
  return text?.replaceAll(isWords ? /[\s'.,-]/g : /\s/g, '');
}

export const choices: Rule = (gold, reply) => {
  const choice = orderByKind('choice', gold, reply);
  if (!choice) return null;
  if (choice.other.kind === 'constant') return different('choice', 'a number is no letter');
  const other =
    choice.other.kind === 'choice' ? choice.other.letter : variableLetters(choice.other)?.toUpperCase();
  if (other === choice.it.letter) return same('choice', 'the same letter');
  return different('choice', 'not the same letter');
};

const noon = 12 * 3600;

export const times: Rule = (gold, reply, { relation }) => {
  if (gold.kind !== 'time' || reply.kind !== 'time') return null;
  if (gold.seconds === reply.seconds) return same('time', 'the same time of day');
  // A gold answer may say a.m. or p.m. where the reply leaves it out.
  const isLeftOut = relation === 'gold' && (gold.half === null) !== (reply.half === null);
  const [early, delayed] = gold.seconds < reply.seconds ? [gold, reply] : [reply, gold];
  const isNamed = early.half === null && early.seconds < noon && delayed.half !== null;
  const isTwelve = delayed.half === null && delayed.seconds >= noon && early.half === 'am';
  return isLeftOut && (isNamed || isTwelve) && delayed.seconds - early.seconds === noon
    ? same('time', 'the same time; one leaves out the half of the day')
    : different('time', 'another time');
};

export const dates: Rule = (gold, reply, { relation }) => {
  if (gold.kind !== 'date' || reply.kind !== 'date') return null;
  if (gold.month !== reply.month || gold.day !== reply.day) return different('date', 'another day');
  if (gold.year === reply.year) return same('date', 'the same day');
  const isLeftOut = relation === 'gold' && (gold.year === null || reply.year === null);
  return isLeftOut
    ? same('date', 'the same day; one leaves out the year')
    : different('date', 'another year');
};
