/** What programs wrote, kept for the versions that were evaluated last, so that it can be looked at. */
import { z } from 'zod';
import type { Folder } from '../../../core/io.ts';
import { layout } from '../layout.ts';
import { readLines } from './lines.ts';

const outputLine = z.object({ name: z.string(), input: z.string(), output: z.string() });

/** Longer ones are made again when somebody wants to see them. */
const mostCharacters = 1_000_000;
const keptVersions = 5;

export type OutputKeeper = {
  add(name: string, input: string, output: string): Promise<void>;
};

export type OutputsQuestion = {
  readonly source: string;
  /** Sources, the one that was run last at the end. */
  readonly recent: readonly string[];
  /** All cases are run: what was kept of this version is made again. */
  readonly isWhole: boolean;
};

/** Lets go of the outputs of versions that were not run for long. */
export async function keepOutputs(
  folder: Folder,
  { source, recent, isWhole }: OutputsQuestion,
): Promise<OutputKeeper> {
  const kept = new Set([...recent.slice(-keptVersions), source].map(nameOf));
  for (const name of await folder.files(layout.outputs)) {
    if ((isWhole && name === nameOf(source)) || !kept.has(name))
      await folder.remove(`${layout.outputs}/${name}`);
  }
  return {
    async add(name, input, output) {
      if (output.length > mostCharacters) return;
      await folder.append(outputFileOf(source), JSON.stringify({ name, input, output }));
    },
  };
}

/** Null where it is not kept. */
export async function keptOutput(
  folder: Pick<Folder, 'read'>,
  source: string,
  { name, input }: { readonly name: string; readonly input: string },
): Promise<string | null> {
  const { values } = await readLines(folder, outputFileOf(source), outputLine);
  return values.findLast((each) => each.name === name && each.input === input)?.output ?? null;
}

export function outputFileOf(source: string): string {
  return `${layout.outputs}/${nameOf(source)}`;
}

function nameOf(source: string): string {
  return `${source}.jsonl`;
}
