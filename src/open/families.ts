/** The families that come with Polya, by name. Each is loaded when it is asked for, and closed with Polya. */
import type { Family } from '../core/problem.ts';
import { hashText } from '../run/hash.ts';
import type { AocOptions } from './families/aoc.ts';
import type { FamilyPlace } from './family-place.ts';

export type FamilyOptions = { readonly aoc?: AocOptions };

export type OpenedFamily = { readonly family: Family; close?(): Promise<void> };

type Loader = (place: FamilyPlace, options: FamilyOptions) => Promise<OpenedFamily>;

export const familyLoaders: Readonly<Record<string, Loader>> = {
  ahc: async ({ files, env }) => {
    const [{ ahcFamily }, { ahcParts }] = await Promise.all([
      import('../families/ahc/family.ts'),
      import('./families/ahc/parts.ts'),
    ]);
    return { family: ahcFamily(ahcParts(files, env)) };
  },
  aoc: async (place, options) => {
    const [{ aocFamily }, { openAocSites }] = await Promise.all([
      import('../families/aoc/family.ts'),
      import('./families/aoc.ts'),
    ]);
    const { settings, close } = openAocSites(place, options.aoc);
    return { family: aocFamily(settings), close };
  },
  arc: async ({ files }) => ({
    family: (await import('../families/arc/family.ts')).arcFamily({ files, hashText }),
  }),
  plain: async ({ files: { readBytes } }) => ({
    family: (await import('../families/plain/family.ts')).plainFamily({ readBytes, hashText }),
  }),
  proof: async ({ files: { readBytes } }) => ({
    family: (await import('../families/proof/family.ts')).proofFamily({ readBytes, hashText }),
  }),
  qa: async ({ files: { readBytes, stampOf, absolute } }) => {
    const [{ qaFamily }, { openAnswers }] = await Promise.all([
      import('../families/qa/family.ts'),
      import('../answers/index.ts'),
    ]);
    // Opened here, so that a vote inside a run compares at once.
    return { family: qaFamily({ answers: await openAnswers(), readBytes, stampOf, absolute, hashText }) };
  },
};
