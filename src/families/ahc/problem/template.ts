/** The program that a search begins with when it has no other. Pure. */
import { solutionTemplate } from '../intake/templates.ts';

/** The user's own program, where there is one beside what `init` has put there. */
export function templateOf(main: string | null): string {
  return main === null || main.trim() === '' ? solutionTemplate : main;
}
