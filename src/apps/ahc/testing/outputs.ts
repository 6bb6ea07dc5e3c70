/**
 * Where `polya ahc test --out` writes what the program wrote. That it can be written to is seen before anything is run;
 * what goes wrong later ends no evaluation, and is told at its end.
 */
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { ExplainedError, UserError } from '../../../core/errors.ts';
import type { DoneCase } from '../../../families/ahc/evaluation.ts';
import { makeFolder } from '../../../io/make-folder.ts';
import type { AhcWorkbench } from '../load/workbench.ts';

export type TestOutputs = {
  /** Never throws. */
  add(done: DoneCase): Promise<void>;
  /** The first thing that went wrong. */
  readonly failure: ExplainedError | null;
};

/** Throws `UserError` where nothing can be written. */
export function openOutputs(
  { openFolder }: Pick<AhcWorkbench, 'openFolder'>,
  from: string,
  out: string,
): TestOutputs {
  const place = resolve(from, out);
  try {
    makeFolder(place);
    accessSync(place, constants.W_OK);
  } catch (error) {
    throw new UserError({
      code: 'out-no-folder-can-written',
      what: `--out ${out} is no folder that can be written to.`,
      why: error instanceof Error ? `${error.message}.` : String(error),
      fix: 'Name another folder; it is made where there is none.',
    });
  }
  const folder = openFolder(place);
  let failure: ExplainedError | null = null;
  return {
    get failure() {
      return failure;
    },
    async add({ name, output }) {
      try {
        await folder.write(`${name}.txt`, output, { isLasting: false });
      } catch (error) {
        if (!(error instanceof ExplainedError)) throw error;
        failure ??= error;
      }
    },
  };
}
