/**
 * What a workspace's texts say of input and output, read once: the program's reading of the input, proved by inputs, and
 * the blocks of the output's section. Pure.
 */
import type { Folder } from '../../../core/io.ts';
import { layout } from '../layout.ts';
import { type Reading, readingCode } from './cpp.ts';
import { blocksOf, gluedIn, shapeOf, typesIn, type ValueType } from './format.ts';

export type Question = {
  /** `input_format.txt`; null if there is none. */
  readonly format: string | null;
  readonly statement: string;
  /** Some inputs, by which what was understood is proved. */
  readonly inputs: readonly string[];
  readonly samples: readonly { readonly input: string; readonly output: string }[];
  readonly isInteractive: boolean;
};

export type Understood = Reading & {
  readonly types: ReadonlyMap<string, ValueType>;
  /** Names of its whole numbers. */
  readonly scalars: readonly string[];
  /** The blocks of code in the output's section, without those of the input. */
  readonly blocks: readonly string[];
  readonly words: string;
};

export function understand({ format, inputs, isInteractive }: Question): Understood {
  const { input, output } = format === null ? { input: '', output: null } : sectionsOf(format);
  const whole = format === null ? null : readBy(input, inputs, isInteractive);
  const found = whole ?? beginningOf(input, inputs) ?? nothingRead;
  const blocks = blocksOf(output ?? input);
  return {
    ...found,
    reading: found === nothingRead ? null : readingCode(found.steps, found.types),
    isWhole: whole !== null,
    scalars: found.steps
      .flatMap(({ type, fields }) => (type === 'once' ? fields : []))
      .filter(({ name, count }) => count === null && found.types.get(name) === 'long long')
      .map(({ name }) => name),
    blocks: output === null ? blocks.slice(1) : blocks,
    words: output ?? input,
  };
}

type Read = Pick<Understood, 'steps' | 'types'>;

const nothingRead: Read = { steps: [], types: new Map() };

function readBy(format: string, inputs: readonly string[], mayGoOn: boolean): Read | null {
  const steps = shapeOf(format);
  const types = steps && typesIn(steps, inputs, mayGoOn);
  if (!steps || !types) return null;
  // Digits without spaces are a string, not a number: `0101`.
  const glued = [...gluedIn(format).keys()].map((name) => [name, 'string'] as const);
  return { steps, types: new Map([...types, ...glued]) };
}

/** As many of its lines as can be read: what a plain answer has to know mostly stands in the first one. */
function beginningOf(format: string, inputs: readonly string[]): Read | null {
  const lines = (blocksOf(format)[0] ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  for (let count = lines.length - 1; count > 0; count -= 1) {
    const read = readBy(lines.slice(0, count).join('\n'), inputs, true);
    if (read) return read;
  }
  return null;
}

/** Both sections stand in one file, under their headings; where one heading is for both, there is no second one. */
function sectionsOf(format: string): { readonly input: string; readonly output: string | null } {
  const isBoth = /^\s*(?:#+[ \t]*)?(入出力|input (and|\/|&) output)/i.test(format);
  const at = isBoth ? undefined : /^#*[ \t]*(output|出力)/im.exec(format)?.index;
  return at === undefined
    ? { input: format, output: null }
    : { input: format.slice(0, at), output: format.slice(at) };
}

/** So many inputs prove what was understood, and are what all answers are tried on. */
const rehearsed = 3;

export async function questionIn(
  folder: Folder,
  { isInteractive, statement }: { readonly isInteractive: boolean; readonly statement: string },
): Promise<Question> {
  const names = (await folder.files(layout.inputs)).filter((name) => /^[^/]+\.txt$/.test(name)).toSorted();
  const inputs = await Promise.all(
    names.slice(0, rehearsed).map(async (name) => (await folder.read(`${layout.inputs}/${name}`)) ?? ''),
  );
  // Input and output of each sample; interactive contests have none.
  const pairs = (await folder.files(layout.samples))
    .filter((name) => name.endsWith('.in.txt'))
    .toSorted()
    .map(async (name) => ({
      input: await folder.read(`${layout.samples}/${name}`),
      output: await folder.read(`${layout.samples}/${name.replace(/\.in\.txt$/, '.out.txt')}`),
    }));
  const samples = (await Promise.all(pairs)).flatMap(({ input, output }) =>
    input !== null && output !== null ? [{ input, output }] : [],
  );
  return {
    format: await folder.read(layout.inputFormat),
    statement,
    inputs: inputs.length > 0 ? inputs : samples.map(({ input }) => input),
    samples,
    isInteractive,
  };
}
