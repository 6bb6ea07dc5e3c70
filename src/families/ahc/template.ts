/**
 * The program that `init --template` named, as the workspace keeps it in `problem/`: a search begins with it, and
 * `main.cpp` is the user's own work where it differs from it. Pure.
 */

/** Passing cases and mean score of the template on the first inputs; `error`: why it is not valid on all of them. */
export type TemplateTrial = {
  readonly cases: number;
  /** Null where nothing scores, or where a case failed. */
  readonly score: number | null;
  readonly error: string | null;
};

/** `valid on 10 of the first 10 inputs, mean score 12.5`; `trial`: null where no official tool works here. */
export function describeTrial(trial: TemplateTrial | null): string {
  if (trial === null) return 'not tried: no official tool works here';
  const { cases, score, error } = trial;
  if (error !== null) return error;
  const mean = score === null ? '' : `, mean score ${Number(score.toFixed(2))}`;
  return `valid on the first ${cases} ${cases === 1 ? 'input' : 'inputs'}${mean}`;
}

/** Whether `main.cpp` holds work of its user: it is neither empty nor the template. */
export function differsFromTemplate(main: string, template: string | null): boolean {
  return !['', template?.trim()].includes(main.trim());
}
