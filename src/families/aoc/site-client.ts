/**
 * One puzzle of one account on a site: its page, its input, its answers. Page and input are asked for once and kept in
 * `io.files`. What the site says is read here; what it means for a run is not known here.
 */
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { HttpResponse } from '../../core/io.ts';
import { parseGuesses } from './guesses.ts';
import { createLocalClient } from './local-day.ts';
import { type DayPage, parseDayPage, parseReply, plainText } from './page.ts';
import { type AocReference, filesSite } from './reference.ts';
import type { AocClient, AocSettings, AocSite, Asking, KeptDay } from './sites.ts';

/** For the user's own files or for a site, as the reference says. */
export function createClient(settings: AocSettings, reference: AocReference, request: Asking): AocClient {
  const { files } = settings;
  if (reference.site !== filesSite || !files) return createSiteClient(settings, reference, request);
  const { userFile } = request.io;
  return createLocalClient(userFile ? { ...files, read: userFile } : files, reference);
}

export function siteOf({ sites }: AocSettings, name: string): AocSite {
  const site = Object.hasOwn(sites, name) ? sites[name] : undefined;
  if (site) return site;
  throw new UserError({
    code: 'files-have-no-account',
    what: name === filesSite ? 'Files of your own belong to no site.' : `There is no site named ${name}.`,
    fix: `Choose one of: ${Object.keys(sites).join(', ')}.`,
  });
}

export function createSiteClient(settings: AocSettings, reference: AocReference, request: Asking): AocClient {
  const site = siteOf(settings, reference.site);
  const { files } = request.io;
  const keptAs = async (name: string) => folderOf(reference, (await site.connect(reference)).account) + name;
  const ask = createAsk(site, reference, request);
  const elsewhere = async () => (await site.kept?.(reference)) ?? nothingKept;
  const input = async () => {
    const file = await keptAs('input.txt');
    const kept = (await files.read(file)) ?? (await elsewhere()).input;
    if (kept !== null && isInput(kept)) return kept;
    const question = await ask('/input');
    if (!isInput(question)) throw noInput(reference, question);
    await files.write(file, question);
    return question;
  };
  /**
   * A new session of the same person looks like another account; with the same input, the same answers are wrong. A
   * right one is its account's alone: the site has not heard it from the other.
   */
  const wrongFile = async () => {
    const hash = await settings.hashText(await input());
    return `aoc/${reference.site}/inputs/${reference.year}/${reference.day}/wrong.${hash.slice(0, 20)}.jsonl`;
  };
  const guessesIn = async (file: string) => parseGuesses((await files.read(file)) ?? '');
  return {
    input,
    maxWrongAnswers: reference.maxWrongAnswers ?? site.maxWrongAnswers ?? null,
    async page(age) {
      const file = await keptAs('page.html');
      const kept = age === 'kept' ? await files.read(file) : null;
      const { page, answers } = await elsewhere();
      if (kept !== null) return withAnswers(parseDayPage(kept), answers);
      if (age === 'kept' && page) return withAnswers(page, answers);
      const html = await ask('');
      const dayPage = parseDayPage(html);
      checkPage(dayPage, html, reference);
      await files.write(file, html);
      return withAnswers(dayPage, answers);
    },
    async submit(part, answer) {
      const reply = parseReply(await ask('/answer', { level: String(part), answer }));
      if (reply.kind === 'logged-out') throw loggedOut(reference);
      return reply;
    },
    async guesses() {
      const ofInput = await guessesIn(await wrongFile());
      const own = await guessesIn(await keptAs('guesses.jsonl'));
      return [...own, ...ofInput.filter(({ verdict }) => verdict !== 'right')];
    },
    async remember(estimate) {
      await files.append(await keptAs('guesses.jsonl'), JSON.stringify(estimate));
      if (estimate.verdict !== 'right') await files.append(await wrongFile(), JSON.stringify(estimate));
    },
  };
}

/** What the user's cache has of a day; it asks no site. */
export async function readCache(site: AocSite, reference: AocReference, { io }: Asking) {
  const account = (await site.accountOf?.(reference)) ?? (await site.connect(reference)).account;
  const folder = folderOf(reference, account);
  const [page, input, estimates] = await Promise.all(
    ['page.html', 'input.txt', 'guesses.jsonl'].map((name) => io.files.read(folder + name)),
  );
  return {
    inputFile: `${folder}input.txt`,
    page: page ? parseDayPage(page) : null,
    input: input ?? null,
    guesses: parseGuesses(estimates ?? ''),
  };
}

const nothingKept: KeptDay = { page: null, input: null, answers: [] };

function createAsk(site: AocSite, reference: AocReference, { io, signal }: Asking) {
  return async (path: string, form?: Record<string, string>) => {
    const { baseUrl, session } = await site.connect(reference);
    const response = await io.http.request({
      method: form ? 'POST' : 'GET',
      url: `${baseUrl}/${reference.year}/day/${reference.day}${path}`,
      headers: { cookie: `session=${session}` },
      form,
      signal,
    });
    checkStatus(response, reference);
    return response.body;
  };
}

function withAnswers(page: DayPage, known: KeptDay['answers']): DayPage {
  return { ...page, answers: [page.answers[0] ?? known[0], page.answers[1] ?? known[1]] };
}

function folderOf({ site, year, day, user, seed }: AocReference, account?: string): string {
  const owner = [user ?? 'default', seed === undefined ? null : `seed${seed}`, account ?? null];
  return `aoc/${site}/${owner.filter((part) => part !== null).join('.')}/${year}/${day}/`;
}

function checkStatus({ status, body }: HttpResponse, reference: AocReference): void {
  if (status === 200) return;
  if ((status >= 300 && status < 400) || (status >= 400 && status <= 403)) throw loggedOut(reference);
  if (status === 404) {
    throw new UserError({
      code: 'day-locked',
      what: `The site ${reference.site} has no day ${reference.day} of ${reference.year}, or it is still locked.`,
      fix: 'Choose a day that is open.',
    });
  }
  throw new UnavailableError({
    code: 'site-failed',
    what: `The site ${reference.site} failed (HTTP status ${status}).`,
    why: plainText(body).slice(0, 200),
    fix:
      status === 500
        ? 'Try again later. If it lasts, the session cookie may be wrong: the site fails at some that it does not know.'
        : 'Try again later.',
  });
}

function checkPage(page: DayPage, html: string, reference: AocReference): void {
  if (!page.loggedIn) throw loggedOut(reference);
  if (page.parts.length > 0) return;
  throw new UnavailableError({
    code: 'page-unreadable',
    what: `The page of day ${reference.day} of ${reference.year} on the site ${reference.site} has no puzzle that Polya can read.`,
    why: `It says: ${plainText(html).slice(0, 200)}`,
    fix: 'Open it in a browser; if the puzzle is there, this is a defect of Polya.',
  });
}

/** A page that says that the site is being mended comes with status 200 too. Inputs may begin with `<`. */
function isInput(text: string): boolean {
  return text.trim() !== '' && !/^\s*<(?:!doctype|html|head|body)\b/i.test(text);
}

function noInput({ site, year, day }: AocReference, text: string): UnavailableError {
  return new UnavailableError({
    code: 'no-input',
    what: `What the site ${site} sent for day ${day} of ${year} is no puzzle input.`,
    why: text.trim() === '' ? 'It is empty.' : `It says: ${plainText(text).slice(0, 200)}`,
    fix: 'Nothing of it was kept. Try again later.',
  });
}

function loggedOut({ site }: AocReference): UnavailableError {
  return new UnavailableError({
    code: 'logged-out',
    what: `The site ${site} does not know this session any more.`,
    why: 'The session cookie is wrong or has expired.',
    fix: 'Log in to the site with a browser and give Polya its new session cookie.',
  });
}
