/** A contest's id as people write it: `ahc030`, `AHC030`, the address of its page. */
import { UserError } from '../../../core/errors.ts';
import { reservedNames } from '../layout.ts';

/** Throws `UserError`. */
export function contestIdOf(text: string): string {
  const fromAddress = /^https?:\/\/[^/]+\/contests\/([\w-]+)/.exec(text.trim())?.[1];
  const id = (fromAddress ?? text.trim()).toLowerCase();
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)) {
    throw new UserError({
      what: `${JSON.stringify(text.slice(0, 100))} is no id of a contest.`,
      why: 'An id is what stands behind /contests/ in the address of its page: letters, digits, - and _.',
      fix: 'Write it as in `polya ahc init ahc030`.',
    });
  }
  if (reservedNames.includes(id)) {
    throw new UserError({
      what: `${id} cannot be the id of a contest here.`,
      why: 'A folder of that name has a meaning of its own in a workspace.',
      fix: 'Look at the address of the contest: its id stands behind /contests/.',
    });
  }
  return id;
}
