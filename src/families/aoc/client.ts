/**
 * One puzzle of one account on a site: its page, its input, its answers. Page and input are asked for once and kept in
 * `io.files`. What the site says is read here; what it means for a run is not known here.
 */
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { HttpResponse, Io } from '../../core/io.ts';
import { type DayPage, parseDayPage, plainText } from './page.ts';
import { type JudgedReply, parseReply } from './reply.ts';
import type { AocConnection, AocReference, AocSettings, AocSite } from './sites.ts';

export type AocClient = {
  /** `fresh` asks the site even where the page is kept. */
  page(age: 'kept' | 'fresh'): Promise<DayPage>;
  input(): Promise<string>;
  submit(part: 1 | 2, answer: string): Promise<JudgedReply>;
};

export type Asking = { readonly io: Io; readonly signal: AbortSignal };

export function createClient(
  settings: AocSettings,
  reference: AocReference,
  { io, signal }: Asking,
): AocClient {
  const site = siteOf(settings, reference.site);
  const keptAs = async (name: string) => folderOf(reference, await site.connect(reference)) + name;
  const ask = async (path: string, form?: Record<string, string>) => {
    const { baseUrl, session } = await site.connect(reference);
    const response = await io.http.request({
      method: form ? 'POST' : 'GET',
      url: `${baseUrl}/${reference.year}/day/${reference.day}${path}`,
      headers: { cookie: `session=${session}` },
      ...(form ? { form } : {}),
      signal,
    });
    checkStatus(response, reference);
    return response.body;
  };
  return {
    async page(age) {
      const file = await keptAs('page.html');
      const kept = age === 'kept' ? await io.files.read(file) : null;
      if (kept !== null) return parseDayPage(kept);
      const html = await ask('');
      const page = parseDayPage(html);
      checkPage(page, html, reference);
      await io.files.write(file, html);
      return page;
    },
    async input() {
      const file = await keptAs('input.txt');
      const kept = await io.files.read(file);
      if (kept !== null) return kept;
      const input = await ask('/input');
      await io.files.write(file, input);
      return input;
    },
    async submit(part, answer) {
      const reply = parseReply(await ask('/answer', { level: String(part), answer }));
      if (reply.kind === 'logged-out') throw loggedOut(reference);
      return reply;
    },
  };
}

export function siteOf({ sites }: AocSettings, name: string): AocSite {
  const site = Object.hasOwn(sites, name) ? sites[name] : undefined;
  if (site) return site;
  throw new UserError({
    what: `There is no site named ${name}.`,
    fix: `Choose one of: ${Object.keys(sites).join(', ')}.`,
  });
}

function folderOf({ site, year, day, user, seed }: AocReference, { account }: AocConnection): string {
  const owner = [user ?? 'default', seed === undefined ? null : `seed${seed}`, account ?? null];
  return `aoc/${site}/${owner.filter((part) => part !== null).join('.')}/${year}/${day}/`;
}

function checkStatus({ status, body }: HttpResponse, reference: AocReference): void {
  if (status === 200) return;
  if ((status >= 300 && status < 400) || (status >= 400 && status <= 403)) throw loggedOut(reference);
  if (status === 404) {
    throw new UserError({
      what: `The site ${reference.site} has no day ${reference.day} of ${reference.year}, or it is still locked.`,
      fix: 'Choose a day that is open.',
    });
  }
  throw new UnavailableError({
    what: `The site ${reference.site} failed (HTTP status ${status}).`,
    why: plainText(body).slice(0, 200),
    fix: 'Try again later.',
  });
}

function checkPage(page: DayPage, html: string, reference: AocReference): void {
  if (!page.loggedIn) throw loggedOut(reference);
  if (page.parts.length > 0) return;
  throw new UnavailableError({
    what: `The page of day ${reference.day} of ${reference.year} on the site ${reference.site} has no puzzle that Polya can read.`,
    why: `It says: ${plainText(html).slice(0, 200)}`,
    fix: 'Open it in a browser; if the puzzle is there, this is a defect of Polya.',
  });
}

function loggedOut({ site }: AocReference): UnavailableError {
  return new UnavailableError({
    what: `The site ${site} does not know this session any more.`,
    why: 'The session cookie is wrong or has expired.',
    fix: 'Log in to the site with a browser and give Polya its new session cookie.',
  });
}
