/** What a person may ask of a day without a run: fetch it, or see what is kept of it. */
import type { Io } from '../../core/io.ts';
import { checkDay } from './calendar.ts';
import type { Asking } from './client.ts';
import { siteOf } from './clients.ts';
import type { AccountGuess } from './memory.ts';
import type { DayPage } from './page.ts';
import { parseReference } from './reference.ts';
import { createSiteClient, readCache } from './site-client.ts';
import type { AocReference, AocSettings } from './sites.ts';
import { markdownOf } from './statement.ts';

export type DayQuestion = Omit<AocReference, 'lang'>;

export type FetchedDay = {
  readonly title: string | null;
  /** Markdown: part 1 and, where the account has solved it, part 2. */
  readonly parts: readonly string[];
  readonly input: string;
  /** Its name in `io.files`; null where it is kept elsewhere, by another tool of the user's. */
  readonly inputFile: string | null;
  readonly stars: number;
};

export type DayStatus = {
  readonly hasPage: boolean;
  readonly hasInput: boolean;
  readonly title: string | null;
  /** As of when the page was kept. */
  readonly stars: number;
  /** What all runs of the account were told of their answers, in order. */
  readonly guesses: readonly AccountGuess[];
};

export type AocDesk = {
  /** Puts page and input into the user's cache, where they are not yet; `fresh` asks for the page again. */
  download(question: DayQuestion, options?: { readonly fresh?: boolean }): Promise<FetchedDay>;
  /** What is in the user's cache; asks nobody. */
  status(question: DayQuestion): Promise<DayStatus>;
};

export function aocDesk(settings: AocSettings, io: Io): AocDesk {
  const asking = (): Asking => ({ io, signal: new AbortController().signal });
  return {
    download: (question, { fresh = false } = {}) => downloadDay(settings, question, { ...asking(), fresh }),
    status: (question) => dayStatus(settings, question, asking()),
  };
}

async function downloadDay(
  settings: AocSettings,
  question: DayQuestion,
  asking: Asking & { readonly fresh: boolean },
): Promise<FetchedDay> {
  const { site, reference } = checked(settings, question);
  checkDay(site, reference, asking.io.clock.now());
  const client = createSiteClient(site, reference, { ...asking, hashText: settings.hashText });
  const page: DayPage = await client.page(asking.fresh ? 'fresh' : 'kept');
  const input = await client.input();
  const kept = await readCache(site, reference, asking);
  return {
    title: page.title,
    parts: page.parts.map(markdownOf),
    input,
    inputFile: kept.input === null ? null : kept.inputFile,
    stars: page.stars,
  };
}

async function dayStatus(settings: AocSettings, question: DayQuestion, asking: Asking): Promise<DayStatus> {
  const { site, reference } = checked(settings, question);
  const { page, input, guesses } = await readCache(site, reference, asking);
  return {
    hasPage: page !== null,
    hasInput: input !== null,
    title: page?.title ?? null,
    stars: page?.stars ?? 0,
    guesses,
  };
}

/** The language is of no interest here, but a reference has one. */
function checked(settings: AocSettings, question: DayQuestion) {
  const site = siteOf(settings, question.site);
  return { site, reference: parseReference({ ...question, lang: 'python' }) };
}
