/** Which problems of a file are meant. */
import { UserError } from '../../core/errors.ts';
import type { PosedProblem } from '../../families/proof/problems.ts';

/** Their names or numbers as a reference has them; none where the file holds one problem, and nobody names it. */
export function chosenProblems(
  problems: readonly PosedProblem[],
  wanted: readonly string[],
  file: string,
): readonly (string | number | undefined)[] {
  const [only, ...others] = problems;
  if (wanted.length === 0 && only && others.length === 0) return [undefined];
  const isAll = (name: string) => name === 'all' && !problems.some((problem) => problem.name === 'all');
  if (wanted.some(isAll)) return problems.map(({ number }) => number);
  if (wanted.length > 0) return [...new Set(wanted)];
  const listed = problems.map(({ number, title }) => `  ${number}  ${title}`).join('\n');
  throw new UserError({
    code: 'holds-problems-n',
    what: `${file} holds ${problems.length} problems:\n${listed}`,
    fix: '\nName one or several with --problem, by number or by name, or all of them with `--problem all`.',
  });
}
