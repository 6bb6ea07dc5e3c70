/** Which cases are meant: `0-99,120` over the names that there are. Pure. */
import { UserError } from '../../../core/errors.ts';

/** `0-99,120`, or names as they are: `0007,edge`. Throws `UserError` where one is not there. */
export function chooseCases(names: readonly string[], text: string | undefined): readonly string[] {
  if (text === undefined) return names;
  const chosen = new Set<string>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const found = namesOf(names, part);
    if (found.length === 0) throw noSuchCase(names, part);
    for (const name of found) chosen.add(name);
  }
  return names.filter((name) => chosen.has(name));
}

function namesOf(names: readonly string[], part: string): readonly string[] {
  if (names.includes(part)) return [part];
  const { from, to } = /^(?<from>\d+)(?:\s*-\s*(?<to>\d+))?$/.exec(part)?.groups ?? {};
  if (from === undefined) return [];
  const [first, last] = [Number(from), Number(to ?? from)];
  return names.filter((name) => /^\d+$/.test(name) && Number(name) >= first && Number(name) <= last);
}

function whatIsWrong(part: string): string {
  if (part === '') return 'A number of a case is missing.';
  const { from, to } = /^(?<from>\d+)\s*-\s*(?<to>\d+)$/.exec(part)?.groups ?? {};
  if (Number(from) > Number(to)) return `The range ${part} ends before it begins.`;
  return `There is no case ${part}.`;
}

function noSuchCase(names: readonly string[], part: string): UserError {
  return new UserError({
    code: 'no-such-case',
    what: whatIsWrong(part),
    why:
      names.length > 0
        ? `There are ${names.length}: ${names[0]} to ${names.at(-1)}.`
        : 'The workspace has no inputs.',
    fix: 'Name numbers and ranges, as in --cases 0-99,120.',
  });
}
