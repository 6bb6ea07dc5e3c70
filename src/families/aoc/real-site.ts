/**
 * The real site: its address, its calendar, and what must be said before it is asked: a cookie of the user's and a way
 * to reach the user. Where these come from is not known here.
 */
import { UserError } from '../../core/errors.ts';
import { readAocdOf } from './aocd.ts';
import type { AocReference } from './reference.ts';
import type { AocFiles, AocSite } from './sites.ts';

export type RealSiteOptions = {
  /** The value of the session cookie, asked for at each use, so that a new one counts at once. */
  session(): string | null;
  /** An address or a link of the user's, which the User-Agent names. */
  readonly contact: string | null;
  /** Where the cookie is looked for, as errors say it. */
  readonly sessionFile: string;
  /** A short name for a session that does not tell it: a hash. */
  accountOf(session: string): string;
  /** The cache of aocd, if the user has one. */
  readonly aocd?: { readonly files: AocFiles; readonly folder: string };
  /** For tests: a server that speaks the site's wire. */
  readonly baseUrl?: string;
  readonly allowsRunningEvent?: boolean;
};

const siteUrl = 'https://adventofcode.com';
const maxWrongAnswers = 5;

export function realSite(options: RealSiteOptions): AocSite {
  const { aocd } = options;
  const accountOf = async ({ user, seed }: AocReference) => {
    if (user !== undefined || seed !== undefined) {
      throw new UserError({
        code: 'no-day-chosen',
        what: 'On adventofcode.com there is nobody to choose: you are whose session cookie is given.',
        why: 'A user and a seed are for the practice site, which makes accounts and inputs.',
        fix: 'Leave out --user and --seed, or practise with `--site practice`.',
      });
    }
    return options.accountOf(sessionOf(options));
  };
  return {
    events: 'official',
    maxWrongAnswers,
    allowsRunningEvent: options.allowsRunningEvent ?? false,
    async connect(reference) {
      const account = await accountOf(reference);
      checkContact(options.contact?.trim() ?? '');
      return { baseUrl: options.baseUrl ?? siteUrl, session: sessionOf(options), account };
    },
    accountOf,
    kept: async ({ year, day }) =>
      aocd ? readAocdOf(aocd.files, aocd.folder, { year, day, session: sessionOf(options) }) : null,
  };
}

/** People copy the cookie with its name. */
function sessionOf({ session, sessionFile }: RealSiteOptions): string {
  const value = session()
    ?.trim()
    .replace(/^session=/, '');
  if (!value) {
    throw new UserError({
      code: 'no-session',
      what: 'Polya has no session cookie for adventofcode.com.',
      why: 'Inputs and answers belong to an account there.',
      fix: `Log in with a browser and put the value of its cookie \`session\` into the environment variable AOC_SESSION, or into the file ${sessionFile} (chmod 600). Without an account, practise with \`--site practice\`.`,
    });
  }
  // Anything else would end the header that it is sent in, or add to it.
  if (/^[\w.%+/=-]+$/.test(value)) return value;
  throw new UserError({
    code: 'session-cookie-invalid',
    what: 'What Polya was given as session cookie is none.',
    why: 'A session cookie is one long word of letters and digits.',
    fix: 'Copy the value of the cookie `session` from a browser that is logged in, and nothing else.',
  });
}

/** HTTP headers hold printable ASCII alone: other letters would garble the address. */
function checkContact(contact: string): void {
  if (/^[\x20-\x7e]+$/.test(contact) && /\w[@.]\w|:\/\/\w/.test(contact)) return;
  throw new UserError({
    code: 'no-contact',
    what:
      contact === ''
        ? 'Polya does not ask adventofcode.com without a way to reach you.'
        : 'POLYA_CONTACT names neither an e-mail address nor a link, in plain letters.',
    why: 'The author of the site wants every automatic request to name whom to write to.',
    fix: 'Set the environment variable POLYA_CONTACT to your e-mail address or a link to your page. It is sent to the sites that Polya asks, and nowhere else.',
  });
}
