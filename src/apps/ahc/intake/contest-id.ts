/** A contest as people name it: `ahc030`, `AHC030`, the address of its page with or without `https://`. */
import { UserError } from '../../../core/errors.ts';
import { reservedNames } from '../../../families/ahc/layout.ts';
import { urlOf } from './place.ts';

export type NamedContest = {
  readonly id: string;
  /** Of the address's site as one types it for `--site`; null where only an id was named. */
  readonly host: string | null;
};

/** Throws `UserError`. */
export function namedContest(text: string): NamedContest {
  const address = /^(?:https?:\/\/)?([^/\s]+)\/contests\/([\w-]+)/i.exec(text.trim());
  return { id: idIn(text, address?.[2] ?? text), host: address?.[1]?.toLowerCase() ?? null };
}

/** Throws `UserError` where the address that was typed is of another site than the one that is to be asked. */
export function refuseOtherSite({ id, host }: NamedContest, origin: string): void {
  if (host === null || host === urlOf(origin)?.host) return;
  throw new UserError({
    code: 'address-one-asked',
    what: `The address is one of ${host}, and ${origin} is to be asked.`,
    why: 'A contest of the same name there need not be the same.',
    fix: `\`polya ahc init ${id}\` asks AtCoder, \`polya ahc init ${id} --site https://${host}\` that site.`,
  });
}

function idIn(text: string, found: string): string {
  const id = found.trim().toLowerCase();
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)) {
    throw new UserError({
      code: 'no-id-contest',
      what: `${JSON.stringify(text.slice(0, 100))} is no id of a contest.`,
      why: 'An id is what stands behind /contests/ in the address of its page: letters, digits, - and _.',
      fix: 'Write it as in `polya ahc init ahc030`.',
    });
  }
  if (reservedNames.includes(id)) {
    throw new UserError({
      code: 'cannot-id-contest-here',
      what: `${id} cannot be the id of a contest here.`,
      why: 'A folder of that name has a meaning of its own in a workspace.',
      fix: 'Look at the address of the contest: its id stands behind /contests/.',
    });
  }
  return id;
}
