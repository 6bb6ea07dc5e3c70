/** What a workspace holds of texts, inputs and samples, as a question for a plain answer. */
import type { Folder } from '../../../core/io.ts';
import { layout } from '../layout.ts';
import type { Question, Sample } from './understanding.ts';

/** So many inputs prove what was understood, and are what all answers are tried on. */
const rehearsed = 3;

export async function questionIn(
  folder: Folder,
  { isInteractive, statement }: { readonly isInteractive: boolean; readonly statement: string },
): Promise<Question> {
  const names = (await folder.files(layout.inputs)).filter((name) => /^[^/]+\.txt$/.test(name)).toSorted();
  const samples = await samplesIn(folder);
  const inputs = await Promise.all(
    names.slice(0, rehearsed).map(async (name) => (await folder.read(`${layout.inputs}/${name}`)) ?? ''),
  );
  return {
    format: await folder.read(layout.inputFormat),
    statement,
    inputs: inputs.length > 0 ? inputs : samples.map(({ input }) => input),
    samples,
    isInteractive,
  };
}

/** Both sides of them; of a dialogue there are none. */
async function samplesIn(folder: Folder): Promise<readonly Sample[]> {
  const names = await folder.files(layout.samples);
  const pairs = await Promise.all(
    names
      .filter((name) => name.endsWith('.in.txt'))
      .toSorted()
      .map(async (name) => ({
        input: await folder.read(`${layout.samples}/${name}`),
        output: await folder.read(`${layout.samples}/${name.replace(/\.in\.txt$/, '.out.txt')}`),
      })),
  );
  return pairs.flatMap(({ input, output }) => (input !== null && output !== null ? [{ input, output }] : []));
}
