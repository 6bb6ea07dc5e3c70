/**
 * Samples, outputs and differences as a model reads them: text in the chosen form, and pictures where they are asked
 * for, computed here and never asked of a model. The samples come first and stay the same from step to step, so that a
 * provider's cache can serve them. Pure.
 */
import type { ImagePart, TextPart, UserMessage } from '../../core/model.ts';
import type { Examples, Grid } from '../../core/problem.ts';
import { type CollageSpec, drawCollage } from '../../grids/collage.ts';
import { differingCells, diffText } from '../../grids/diff.ts';
import { palette } from '../../grids/drawing.ts';
import { formatGrid, type GridFormat, sameGrid, sizeText } from '../../grids/grid.ts';
import { renderPng } from '../../grids/png.ts';
import type { InductionSettings } from './settings.ts';
import type { Instruction, Outputs } from './state.ts';

type Part = TextPart | ImagePart;
type Form = Pick<InductionSettings, 'grids' | 'images'>;

/** The same from step to step: made once, since a picture of every grid is dear. `withOutputs`: for those who may see them. */
export type SamplesMessage = (form: { readonly withOutputs: boolean }) => UserMessage;

export function samplesOnce(examples: Examples, form: Form): SamplesMessage {
  const created = new Map<boolean, UserMessage>();
  return ({ withOutputs }) => {
    const message = created.get(withOutputs) ?? samplesMessage(examples, form, { withOutputs });
    created.set(withOutputs, message);
    return message;
  };
}

function samplesMessage(examples: Examples, form: Form, { withOutputs }: { withOutputs: boolean }) {
  const train = examples.pairs.flatMap(({ input, output }, at) => [
    ...shown(`Train ${at + 1}, input`, input, form),
    ...(withOutputs ? shown(`Train ${at + 1}, output`, output, form) : []),
  ]);
  const test = examples.queries.flatMap((input, at) => shown(`Test ${at + 1}, input`, input, form));
  const rows = rowsOf(examples, { expected: withOutputs });
  return userMessage([...train, ...test, ...renderPictures(rows, form)]);
}

/** What may be seen of each sample in a picture. */
function rowsOf(
  { pairs, queries }: Examples,
  show: { expected: boolean; predicted?: Outputs },
): CollageSpec['rows'] {
  const { expected, predicted } = show;
  const row = (name: string, input: Grid, output: Grid | null, grid: Grid | null = null) => {
    return { label: name, input, expected: expected ? output : null, predicted: grid };
  };
  return [
    ...pairs.map(({ input, output }, at) => row(`train ${at + 1}`, input, output, predicted?.train[at])),
    ...queries.map((input, at) => row(`test ${at + 1}`, input, null, predicted?.test[at])),
  ];
}

/** As many samples in a picture as are not too high for a model to see their cells. */
function renderPictures(rows: CollageSpec['rows'], { images }: Form): Part[] {
  if (!images || rows.length === 0) return [];
  const legend = palette.map(({ name }, colour) => `${colour} ${name}`).join(', ');
  const shared: CollageSpec['rows'][number][][] = [];
  let high = mostCellsHigh;
  for (const row of rows) {
    high += row.input.length + 5;
    if (high > mostCellsHigh) shared.push([]);
    if (high > mostCellsHigh) high = row.input.length + 5;
    shared.at(-1)?.push(row);
  }
  const samples = shared.map((each) => imagePart(renderPng(drawCollage({ title: '', rows: each }))));
  return [text(`The same as pictures. Colours: ${legend}.`), ...samples];
}

const mostCellsHigh = 100;

/** Differences of the train outputs are only for roles that may see expected outputs. */
export function outputParts(
  examples: Examples,
  outputs: Outputs,
  form: Form & { readonly withDifferences: boolean },
): Part[] {
  if ([...outputs.train, ...outputs.test].every((grid) => grid === null)) return [];
  const now = (name: string, grid: Grid | null): Part[] =>
    grid ? shown(`${name}, output now`, grid, form) : [text(`${name}, output now: there is none yet.`)];
  const train = outputs.train.flatMap((grid, at) => {
    const expected = examples.pairs[at]?.output;
    const created = now(`Train ${at + 1}`, grid);
    if (!form.withDifferences || !expected) return created;
    const lines = difference(at, expected, grid);
    // Where the shape is right, the difference shows the output too.
    const isToldTwice = !grid || differingCells(expected, grid) !== null;
    return isToldTwice ? lines : [...created, ...lines];
  });
  const test = outputs.test.flatMap((grid, at) => now(`Test ${at + 1}`, grid));
  if (!form.withDifferences) return [...train, ...test];
  const rows = rowsOf(examples, { expected: true, predicted: outputs });
  // Right outputs need no picture.
  const isShown = ({ expected, predicted }: CollageSpec['rows'][number]) =>
    predicted && !(expected && sameGrid(expected, predicted));
  return [...train, ...test, ...renderPictures(rows.filter(isShown), form)];
}

/** What was made of the test inputs, or why nothing was. */
export function testParts(
  { queries }: Pick<Examples, 'queries'>,
  created: readonly { readonly grid: Grid | null; readonly error: string | null }[],
  form: Form,
): Part[] {
  const lines = created.flatMap(({ grid, error }, at) =>
    grid ? shown(`Test ${at + 1}`, grid, form) : [text(`Test ${at + 1}: ${error}`)],
  );
  const predicted = { train: [], test: created.map(({ grid }) => grid) };
  return [...lines, ...renderPictures(rowsOf({ pairs: [], queries }, { expected: false, predicted }), form)];
}

export function difference(at: number, expected: Grid, actual: Grid | null): Part[] {
  return [text(`Train ${at + 1}, difference: ${diffText(expected, actual)}`)];
}

function shown(name: string, grid: Grid, { grids }: Form): Part[] {
  return [text(`${name} (${sizeText(grid)}):\n${formatGrid(grid, grids)}`)];
}

export function text(words: string): TextPart {
  return { type: 'text', text: words };
}

export function userMessage(parts: readonly Part[]): UserMessage {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      joined.splice(-1, 1, text(`${last.text}\n\n${part.text}`));
    else joined.push(part);
  }
  const [only, ...siblings] = joined;
  return { role: 'user', content: only?.type === 'text' && siblings.length === 0 ? only.text : joined };
}

export function numberInstructions(instructions: readonly Instruction[]): string {
  if (instructions.length === 0) return 'none yet';
  return instructions.map(({ text: words }, at) => `${at + 1}. ${words}`).join('\n');
}

export const formatWords: Readonly<Record<GridFormat, string>> = {
  spaced: 'as rows of digits with a space between two cells, one row a line',
  json: 'as a JSON array of rows, each an array of integers',
  csv: 'as rows of digits with a comma between two cells, one row a line',
};

function imagePart(png: Uint8Array): ImagePart {
  return { type: 'image', mediaType: 'image/png', data: Buffer.from(png).toString('base64') };
}
