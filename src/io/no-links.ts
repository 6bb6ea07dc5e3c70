/** Files that Polya writes by itself: no link is followed to them, because whoever made the folder may have chosen its target. */
import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { join, sep } from 'node:path';
import { UserError } from '../core/errors.ts';
import { codeOf, isMissing } from './plain-file.ts';

/** Throws `UserError` where a part of one of these paths below the folder is a link. Missing parts are no links. */
export function rejectLinks(folder: string, ...paths: readonly string[]): void {
  for (const path of paths) {
    let part = folder;
    for (const name of path.split(sep)) {
      part = join(part, name);
      if (isLink(part)) throw linkFound(part);
    }
  }
}

/** Makes a file of its user's alone; false where it exists. Throws `UserError` for a link, else what the system says. */
export function createPrivate(file: string): boolean {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  try {
    closeSync(openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (isLink(file)) throw linkFound(file);
    return false;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function linkFound(path: string): UserError {
  return new UserError({
    code: 'path-is-link',
    what: `${path} is a link, and Polya follows none to what it writes.`,
    why: 'Whoever made the link would choose which file is read or changed.',
    fix: 'Remove the link, or put what it leads to in its place; POLYA_HOME may name any folder.',
  });
}
