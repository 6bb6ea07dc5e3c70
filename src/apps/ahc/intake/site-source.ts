/** A contest on its site: front page, task page, tools, images, one after the other and each once. */

import { load } from 'cheerio/slim';
import { UserError } from '../../../core/errors.ts';
import { BadArchive } from '../../../core/folder-archive.ts';
import { isArchive, looksLikePage, unpack } from './archive/unpack.ts';
import { type Fetch, fetchFrom } from './fetch.ts';
import { type Site, urlOf } from './place.ts';
import {
  type Attachment,
  type ContestSource,
  fileNameOf,
  type IntakeParts,
  pageText,
  parseSchedule,
} from './source.ts';

export function siteSource(
  id: string,
  { site, parts, isFresh }: { readonly site: Site; readonly parts: IntakeParts; readonly isFresh: boolean },
): ContestSource {
  const obtain = fetchFrom(site, parts);
  const front = `${site.origin}/contests/${id}`;
  let url = taskUrl(site, id, `${id.replaceAll('-', '_')}_a`);
  const wanted = { isFresh };
  let known: string | null = null;
  const frontPage = async (signal: AbortSignal): Promise<string> => {
    if (known !== null) return known;
    const asked = {
      url: front,
      kind: 'page',
      noun: 'the page of the contest',
      faultOf: faultOfPage,
    } as const;
    // One that says no time may say one tomorrow.
    const isKept = (bytes: Uint8Array) => parseSchedule(pageText(bytes)) !== null;
    const bytes = await obtain({ ...wanted, ...asked, isKept }, signal);
    if (bytes === null) throw noSuchContest(id, site);
    known = pageText(bytes);
    return known;
  };
  const file = async (
    address: string,
    noun: string,
    signal: AbortSignal,
    faultOf?: (bytes: Uint8Array) => string | null,
  ) => {
    const absolute = urlOf(address, url)?.href ?? address;
    return obtain({ ...wanted, url: absolute, kind: 'file', noun, faultOf }, signal);
  };
  return {
    get url() {
      return url;
    },
    schedule: async (signal) => parseSchedule(await frontPage(signal)),
    async page(signal) {
      const linked = taskIn(await frontPage(signal), id);
      if (linked) url = taskUrl(site, id, linked);
      const get = () =>
        obtain({ ...wanted, url, kind: 'page', noun: 'the statement', faultOf: faultOfPage }, signal);
      const found = await get();
      if (found || linked) return found;
      const other = await taskInList(obtain, `${front}/tasks`, { id, signal, isFresh });
      if (other === null) return null;
      url = taskUrl(site, id, other);
      return get();
    },
    async tools(page, signal) {
      const [address] = page.archives;
      if (address === undefined) return null;
      const bytes = await file(address, 'the tools', signal, (came) =>
        isArchive(came) ? null : 'Where the tools should be, the site sent something else.',
      );
      if (bytes === null) throw new BadArchive('The site does not have the archive that its page names.');
      return {
        files: unpack(bytes),
        sha256: parts.sha256(bytes),
        from: urlOf(address, url)?.href ?? address,
      };
    },
    image: (address, signal) => file(address, `the image ${fileNameOf(address) ?? ''}`, signal, notAPage),
    attachment: async (address, signal) =>
      attached(address, await file(address, fileNameOf(address) ?? 'a file', signal, notAPage)),
    async visualizer({ visualizer }, signal) {
      return visualizer === null
        ? null
        : attached(visualizer, await file(visualizer, 'the visualizer', signal));
    },
  };
}

function attached(address: string, bytes: Uint8Array | null): Attachment | null {
  const name = fileNameOf(address);
  return bytes && name ? { name, bytes } : null;
}

function notAPage(bytes: Uint8Array): string | null {
  return looksLikePage(bytes) ? 'Where a file should be, the site sent a page.' : null;
}

function faultOfPage(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? 'The site sent an empty page.' : null;
}

function taskUrl(site: Site, id: string, task: string): string {
  return `${site.origin}/contests/${id}/tasks/${task}`;
}

/** Front pages name their tasks once the contest has begun; not all do. */
function taskIn(html: string, id: string): string | null {
  const page = load(html);
  const names = page(`a[href*="/contests/${id}/tasks/"]`)
    .toArray()
    .map((link) => /\/tasks\/(\w+)(?:[?#]|$)/.exec(page(link).attr('href') ?? '')?.[1])
    .filter((name) => name !== undefined);
  return names[0] ?? null;
}

async function taskInList(
  obtain: Fetch,
  url: string,
  { id, signal, isFresh }: { id: string; signal: AbortSignal; isFresh: boolean },
): Promise<string | null> {
  const bytes = await obtain({ url, kind: 'page', noun: 'the list of tasks', isFresh }, signal);
  return bytes && taskIn(pageText(bytes), id);
}

function noSuchContest(id: string, site: Site): UserError {
  return new UserError({
    code: 'no-such-contest',
    what: `${site.origin} has no contest ${id}.`,
    why: 'Nothing was made.',
    fix: 'Look at the address of the contest: its id stands behind /contests/, as in ahc030. A practice contest of Polya is polya001.',
  });
}
