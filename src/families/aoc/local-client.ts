/**
 * One puzzle from the user's own files, behind the same contract as a site's. A known answer stands on its page, so
 * that nothing known ever gets to `submit`; what does is `unjudged`. Nothing is remembered from run to run.
 */
import type { AocClient } from './client.ts';
import { readLocalDay } from './local-day.ts';
import type { AocFiles, AocReference } from './sites.ts';

export function createLocalClient(files: AocFiles, reference: AocReference): AocClient {
  return {
    maxWrongAnswers: reference.maxWrongAnswers ?? null,
    page: async () => (await readLocalDay(files, reference)).page,
    input: async () => (await readLocalDay(files, reference)).input,
    submit: async () => ({ kind: 'unjudged', told: '', raw: '' }),
    guesses: async () => [],
    remember: async () => {},
  };
}

/** With paths that a resume from another folder finds too. */
export function withAbsolutePaths(files: AocFiles, reference: AocReference): AocReference {
  const { statement, statement2, input, aocd } = reference;
  const paths = Object.entries({ statement, statement2, input, aocd }).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, files.absolute(path)]],
  );
  return { ...reference, ...Object.fromEntries(paths) };
}
