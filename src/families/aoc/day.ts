/** What a person may ask of a day without a run: fetch it, or see what is kept of it. */
import type { Io } from '../../core/io.ts';
import { checkDay } from './calendar.ts';
import type { AccountGuess } from './guesses.ts';
import { type AocReference, parseReference } from './reference.ts';
import { createSiteClient, readCache, siteOf } from './site-client.ts';
import type { AocSettings } from './sites.ts';
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
  /** What is in the user's cache; it asks no site. */
  status(question: DayQuestion): Promise<DayStatus>;
};

export function aocDesk(settings: AocSettings, io: Io): AocDesk {
  const asking = { io, signal: new AbortController().signal };
  // The language is of no interest here, but a reference has one.
  const placeOf = (question: DayQuestion) => ({
    site: siteOf(settings, question.site),
    reference: parseReference({ ...question, lang: 'python' }),
  });
  return {
    async download(question, { fresh = false } = {}) {
      const { site, reference } = placeOf(question);
      checkDay(site, reference, io.clock.now());
      const client = createSiteClient(settings, reference, asking);
      const { title, parts, stars } = await client.page(fresh ? 'fresh' : 'kept');
      const input = await client.input();
      const kept = await readCache(site, reference, asking);
      const inputFile = kept.input === null ? null : kept.inputFile;
      return { title, parts: parts.map(markdownOf), input, inputFile, stars };
    },
    async status(question) {
      const { site, reference } = placeOf(question);
      const { page, input, guesses } = await readCache(site, reference, asking);
      const { title = null, stars = 0 } = page ?? {};
      return { hasPage: page !== null, hasInput: input !== null, title, stars, guesses };
    },
  };
}
