/** A contest on its site, as its user names it: front page, task page, tools, images, one after the other and each once. */
import { UserError } from '../../../core/errors.ts';
import { BadArchive } from '../../../core/folder-archive.ts';
import { reservedNames } from '../../../families/ahc/layout.ts';
import { pageOf } from '../../../pages/page.ts';
import { isArchive, looksLikePage, unpack } from './archive.ts';
import { fetchFrom, type Site, type Wanted } from './fetch.ts';
import { type ContestSource, type IntakeParts, pageText, parseSchedule, sha256 } from './source.ts';

export function siteSource(
  id: string,
  { site, parts, isFresh }: { readonly site: Site; readonly parts: IntakeParts; readonly isFresh: boolean },
): ContestSource {
  const fetched = fetchFrom(site, parts);
  const obtain = (requested: Wanted, signal: AbortSignal) => fetched({ isFresh, ...requested }, signal);
  const front = `${site.origin}/contests/${id}`;
  const taskUrl = (task: string) => `${front}/tasks/${task}`;
  let url = taskUrl(`${id.replaceAll('-', '_')}_a`);
  const absolute = (address: string) => URL.parse(address, url)?.href ?? address;
  let known: string | null = null;
  const frontPage = async (signal: AbortSignal): Promise<string> => {
    if (known !== null) return known;
    // One that says no time may say one tomorrow.
    const isKept = (bytes: Uint8Array) => parseSchedule(pageText(bytes)) !== null;
    const noun = 'the page of the contest';
    const bytes = await obtain({ url: front, kind: 'page', noun, faultOf: faultOfPage, isKept }, signal);
    if (bytes === null) throw noSuchContest(id, site);
    known = pageText(bytes);
    return known;
  };
  return {
    get url() {
      return url;
    },
    schedule: async (signal) => parseSchedule(await frontPage(signal)),
    async page(signal) {
      const statement = () =>
        obtain({ url, kind: 'page', noun: 'the statement', faultOf: faultOfPage }, signal);
      const linked = taskIn(await frontPage(signal), id);
      if (linked) url = taskUrl(linked);
      const found = await statement();
      if (found || linked) return found;
      const list = await obtain({ url: `${front}/tasks`, kind: 'page', noun: 'the list of tasks' }, signal);
      const other = list && taskIn(pageText(list), id);
      if (other === null) return null;
      url = taskUrl(other);
      return statement();
    },
    async tools({ archives: [address] }, signal) {
      if (address === undefined) return null;
      const from = absolute(address);
      const faultOf = (bytes: Uint8Array) =>
        isArchive(bytes) ? null : 'Where the tools should be, the site sent something else.';
      const bytes = await obtain({ url: from, kind: 'file', noun: 'the tools', faultOf }, signal);
      if (bytes === null) throw new BadArchive('The site does not have the archive that its page names.');
      return { files: unpack(bytes), sha256: sha256(bytes), from };
    },
    file: ({ address, noun, isPage = false }, signal) =>
      obtain({ url: absolute(address), kind: 'file', noun, faultOf: isPage ? undefined : notAPage }, signal),
  };
}

function notAPage(bytes: Uint8Array): string | null {
  return looksLikePage(bytes) ? 'Where a file should be, the site sent a page.' : null;
}

function faultOfPage(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? 'The site sent an empty page.' : null;
}

/** Front pages name their tasks once the contest has begun; not all do. */
function taskIn(html: string, id: string): string | null {
  const page = pageOf(html);
  const links = page(`a[href*="/contests/${id}/tasks/"]`).toArray();
  const names = links.map((link) => /\/tasks\/(\w+)(?:[?#]|$)/.exec(page(link).attr('href') ?? '')?.[1]);
  return names.find((name) => name !== undefined) ?? null;
}

function noSuchContest(id: string, site: Site): UserError {
  return new UserError({
    code: 'no-such-contest',
    what: `${site.origin} has no contest ${id}.`,
    why: 'Nothing was made.',
    fix: 'Look at the address of the contest: its id stands behind /contests/, as in ahc030. A practice contest of Polya is polya001.',
  });
}

export type NamedContest = {
  readonly id: string;
  /** Of the address's site as one types it for `--site`; null where only an id was named. */
  readonly host: string | null;
};

/** By an id or an address. Throws `UserError`. */
export function namedContest(text: string): NamedContest {
  const address = /^(?:https?:\/\/)?([^/\s]+)\/contests\/([\w-]+)/i.exec(text.trim());
  const host = address?.[1]?.toLowerCase() ?? null;
  const id = (address?.[2] ?? text).trim().toLowerCase();
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)) {
    throw new UserError({
      code: 'contest-id-invalid',
      what: `${JSON.stringify(text.slice(0, 100))} is no id of a contest.`,
      why: 'An id is what stands behind /contests/ in the address of its page: letters, digits, - and _.',
      fix: 'Write it as in `polya ahc init ahc030`.',
    });
  }
  if (!reservedNames.includes(id)) return { id, host };
  throw new UserError({
    code: 'contest-id-invalid',
    what: `${id} cannot be the id of a contest here.`,
    why: 'A folder of that name has a meaning of its own in a workspace.',
    fix: 'Look at the address of the contest: its id stands behind /contests/.',
  });
}

/** Throws `UserError` where the address that was typed is of another site than the one that is to be asked. */
export function refuseOtherSite({ id, host }: NamedContest, origin: string): void {
  if (host === null || host === URL.parse(origin)?.host) return;
  throw new UserError({
    code: 'contest-address-unknown',
    what: `The address is one of ${host}, and ${origin} is to be asked.`,
    why: 'A contest of the same name there need not be the same.',
    fix: `\`polya ahc init ${id}\` asks AtCoder, \`polya ahc init ${id} --site https://${host}\` that site.`,
  });
}
