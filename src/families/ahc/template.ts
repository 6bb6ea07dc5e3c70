/**
 * The program that `init --template` named, as the workspace keeps it in `problem/`: a search begins with it, and
 * `main.cpp` is the user's own work where it differs from it. Pure.
 */

/** Whether `main.cpp` holds work of its user: it is neither empty nor the template. */
export function differsFromTemplate(main: string, template: string | null): boolean {
  return !['', template?.trim()].includes(main.trim());
}
