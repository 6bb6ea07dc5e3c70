/**
 * The families that come with Polya, by name. Each is loaded when it is asked for, because a command that poses no problem
 * of a family need not wait for what that one brings with it.
 */
import type { Family } from '../core/problem.ts';
import type { AocSettings } from '../families/aoc/sites.ts';
import type { Environment } from '../io/home.ts';
import type { LocalFiles } from '../io/local-files.ts';
import { hashText } from '../run/hash.ts';

export type FamilyParts = {
  readonly files: LocalFiles;
  readonly env: Environment;
  readonly aoc: AocSettings;
};

export const familyLoaders: Readonly<Record<string, (parts: FamilyParts) => Promise<Family>>> = {
  ahc: async ({ files, env }) => {
    const [{ ahcFamily }, { ahcParts }] = await Promise.all([
      import('../families/ahc/family.ts'),
      import('./ahc-parts.ts'),
    ]);
    return ahcFamily(ahcParts(files, env));
  },
  aoc: async ({ aoc }) => (await import('../families/aoc/family.ts')).aocFamily(aoc),
  arc: async ({ files }) => (await import('../families/arc/family.ts')).arcFamily({ files, hashText }),
  plain: async ({ files: { readBytes } }) =>
    (await import('../families/plain/family.ts')).plainFamily({ readBytes, hashText }),
  proof: async ({ files: { readBytes } }) =>
    (await import('../families/proof/family.ts')).proofFamily({ readBytes, hashText }),
  qa: async ({ files: { readBytes, absolute } }) => {
    const [{ qaFamily }, { openAnswers }] = await Promise.all([
      import('../families/qa/family.ts'),
      import('../answers/index.ts'),
    ]);
    // Opened here, so that a vote inside a run compares at once.
    return qaFamily({ answers: await openAnswers(), readBytes, absolute, hashText });
  },
};
