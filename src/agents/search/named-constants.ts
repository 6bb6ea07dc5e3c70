/** Constants of a program by a name that a person says. Pure. */
import { type Constant, liftConstants } from './constants.ts';

/** The constants that a person means by a name: the very same, else those whose names have it in them. */
export function constantsNamed(source: string, name: string): readonly Constant[] {
  const { constants } = liftConstants(source);
  const wanted = plain(name);
  if (wanted === '') return [];
  const same = constants.filter((each) => plain(each.name) === wanted);
  if (same.length > 0) return same;
  // A name of a letter or two is in every other.
  return wanted.length < 3 ? [] : constants.filter((each) => plain(each.name).includes(wanted));
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
