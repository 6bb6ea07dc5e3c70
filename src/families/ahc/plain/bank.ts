/**
 * Plain answers to one contest, the likeliest first: those of the form that the statement shows, of the form that its
 * samples have, then of forms that are usual, then none at all. Which of them is valid, a judge says. Pure.
 */
import { fixed, numbersOf } from './answer.ts';
import { hintsIn } from './hints.ts';
import {
  type KnownSample,
  type OutStep,
  stepsOfFormat,
  stepsOfSamples,
  usualShapes,
  wordsOfLines,
} from './output-shape.ts';
import { answersOf, type CandidateAnswer } from './pieces.ts';
import { type InputValues, printed, valuesIn } from './print.ts';
import { answeringProgram } from './program.ts';
import type { Ground } from './styles.ts';
import type { Question, Understood } from './understanding.ts';

/** What one answer prints for the inputs on which it is to be tried, in their order. */
export type Tried = CandidateAnswer & { readonly outputs: readonly string[] };

/** In one tier; a judge need not be asked more often. */
const mostAnswers = 200;

/** Tiers, the likelier before, made when they are asked for. An answer that prints what another one prints is left out. */
export function* bankOf(question: Question, understood: Understood): Generator<readonly Tried[]> {
  const { steps, scalars, words, blocks } = understood;
  const ground: Ground = { hints: hintsIn(words, question.statement), scalars, steps };
  const samples = samplesKnown(question, understood);
  const shown = blocks.flatMap((block) => stepsOfFormat(block) ?? []);
  const alike = stepsOfSamples(samples);
  const values = question.inputs.map((input) => valuesIn(steps, input));
  const seen = new Set<string>();
  const tierOf = (forms: readonly (readonly OutStep[])[]): readonly Tried[] => {
    const answers = forms.flatMap((form) => answersOf(form, ground));
    return bySamples(answers, { question, understood })
      .flatMap((answer) => triedOn(answer, values, seen))
      .slice(0, mostAnswers);
  };
  yield tierOf([...(shown.length > 0 ? [shown] : []), ...(alike ? [alike] : [])]);
  yield tierOf(usualShapes(scalars));
  yield triedOn(nothing, values, seen);
}

const nothing: CandidateAnswer = {
  told: 'nothing at all',
  pieces: [{ type: 'rows', rows: fixed(0), items: [] }],
  isSure: false,
};

function triedOn(
  answer: CandidateAnswer,
  values: readonly InputValues[],
  seen: Set<string>,
): readonly Tried[] {
  const outputs = values.map((each) => printed(answer, each));
  if (!outputs.every((output) => output !== null)) return [];
  const key = outputs.map((output) => output.trim()).join('\n\n');
  if (seen.has(key)) return [];
  seen.add(key);
  return [{ ...answer, outputs }];
}

function samplesKnown({ samples }: Question, { steps, scalars }: Understood): readonly KnownSample[] {
  return samples.map(({ input, output }) => {
    const { scalars: found } = valuesIn(steps, input);
    return { output, scalars: new Map(scalars.map((name) => [name, Number(found.get(name))])) };
  });
}

/** What is known to be valid first, then what is most like the samples; else as they were. */
function bySamples(
  answers: readonly CandidateAnswer[],
  { question: { samples }, understood: { steps } }: { question: Question; understood: Understood },
): readonly CandidateAnswer[] {
  const known = samples.map(({ input, output }) => ({ values: valuesIn(steps, input), output }));
  const worth = (answer: CandidateAnswer): number =>
    answer.isSure
      ? Number.POSITIVE_INFINITY
      : known.reduce((sum, { values, output }) => sum + likeness(printed(answer, values) ?? '', output), 0);
  return answers
    .filter((answer) => new Set(numbersOf(answer)).size < 5)
    .map((answer) => ({ answer, worth: worth(answer) }))
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ answer }) => answer);
}

/** From 0, what has nothing in common, to 4, the very same. */
export function likeness(printed: string, sample: string): number {
  const [own, theirs] = [wordsOfLines(printed), wordsOfLines(sample)];
  const form = (lines: readonly (readonly string[])[]) => lines.map(({ length }) => length).join(' ');
  const words = (lines: readonly (readonly string[])[]) => lines.flat().toSorted().join(' ');
  const text = (lines: readonly (readonly string[])[]) => lines.map((line) => line.join(' ')).join('\n');
  const [size, other] = [own.flat().length, theirs.flat().length];
  if (size !== other) return 0;
  if (text(own) === text(theirs)) return 4;
  if (words(own) === words(theirs)) return 3;
  if (form(own) !== form(theirs)) return 0;
  return isAmong(own.flat(), theirs.flat()) ? 2 : 1;
}

/** Numbers between the smallest and the largest of theirs; words and letters that are theirs. */
function isAmong(own: readonly string[], theirs: readonly string[]): boolean {
  const numbers = theirs.map(Number).filter((number) => !Number.isNaN(number));
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const letters = new Set(theirs.join(''));
  return own.every((word) => {
    const number = Number(word);
    if (!Number.isNaN(number) && numbers.length > 0) return number >= low && number <= high;
    return word.length === (theirs[0]?.length ?? 0) && [...word].every((letter) => letters.has(letter));
  });
}

type Guess = { readonly source: string; readonly told: string; readonly isSure: boolean };

export function guessAnswer(question: Question, understood: Understood): Guess | null {
  if (question.isInteractive || understood.reading === null) return null;
  const [likeliest = []] = bankOf(question, understood);
  const [answer]: readonly Tried[] = likeliest;
  return answer
    ? { source: answeringProgram(understood, answer), told: answer.told, isSure: answer.isSure }
    : null;
}
