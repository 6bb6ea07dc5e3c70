/**
 * The program that a search begins with when it has no other, best first: one that reads the input and prints an answer that
 * is known to be valid; the user's own; one that reads the input; the one that `init` puts there. Pure.
 */
import { solutionTemplate } from '../intake/templates.ts';
import { readingCode } from './format/code.ts';
import { typesIn } from './format/rehearse.ts';
import { shapeOf } from './format/shape.ts';
import { wordsOf } from './format/token.ts';

export type TemplateQuestion = {
  /** `input_format.txt`; null where there is none. */
  readonly format: string | null;
  readonly statement: string;
  /** Some inputs, by which what was understood is proved. */
  readonly inputs: readonly string[];
  readonly isInteractive: boolean;
  /** The workspace's own `main.cpp`. */
  readonly main: string | null;
};

export function templateOf(question: TemplateQuestion): string {
  const { main } = question;
  const own = main === null || main.trim() === '' || main === solutionTemplate ? null : main;
  const reading = readingOf(question);
  const answer = reading === null ? null : emptyAnswer(question);
  if (reading !== null && (answer !== null || own === null)) return programThat(reading, answer);
  return own ?? solutionTemplate;
}

function readingOf({ format, inputs, isInteractive }: TemplateQuestion): readonly string[] | null {
  const steps = format === null ? null : shapeOf(sectionsOf(format).input);
  const types = steps && typesIn(steps, inputs, isInteractive);
  return steps && types && readingCode(steps, types);
}

/** Where an answer is a list that begins with its length, and may be empty, an empty one is valid. */
function emptyAnswer({ format, statement, isInteractive }: TemplateQuestion): string | null {
  const output = format === null ? null : sectionsOf(format).output;
  const block = output && /^```[^\n]*\n(?<code>[\s\S]*?)^```/m.exec(output)?.groups?.code;
  if (!block || isInteractive) return null;
  const [first, ...others] = block.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [length, ...more] = wordsOf(first ?? '') ?? [];
  if (length?.type !== 'name' || length.indices.length > 0 || more.length > 0) return null;
  const endsThere = others.some((line) => new RegExp(`_\\{?${length.name}(\\b|-1\\b)`).test(line));
  const words = `${output} ${statement}`.replaceAll(/[$`\s{}]|\\[,;! ]/g, '');
  const mayBeNone = new RegExp(`0(\\\\leqs?lant|\\\\leq|\\\\le|≤|<=)${length.name}(?![A-Za-z0-9_])`).test(
    words,
  );
  return endsThere && mayBeNone ? '0' : null;
}

/** Both sections stand in one file, under their headings. */
function sectionsOf(format: string): { readonly input: string; readonly output: string | null } {
  const at = /^#*\s*(output|出力)/im.exec(format)?.index;
  return at === undefined
    ? { input: format, output: null }
    : { input: format.slice(0, at), output: format.slice(at) };
}

function programThat(reading: readonly string[], answer: string | null): string {
  const printing =
    answer === null
      ? '  // Print an answer here: what is valid says the statement.'
      : `  // A valid answer, of nothing.\n  cout << ${answer} << endl;`;
  const isHint = (line: string) => line.includes('// Read the input as');
  const lines = solutionTemplate.split('\n');
  return lines.flatMap((line) => (isHint(line) ? [...reading, printing] : [line])).join('\n');
}
