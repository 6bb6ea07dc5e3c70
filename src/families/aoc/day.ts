/** What a person may ask of a day without a run: fetch it, or see what is kept of it. */
import type { Io } from '../../core/io.ts';
import type { ToolResult } from '../../core/problem.ts';
import { checkDay } from './calendar.ts';
import { markdownOf } from './page.ts';
import { type AocReference, parseReference } from './reference.ts';
import { createSiteClient, readCache, siteOf } from './site-client.ts';
import type { AocSettings } from './sites.ts';
import { resultOf } from './submission.ts';
import { judge } from './tool-submit.ts';

export type DayQuestion = Omit<AocReference, 'lang'>;

export type AocService = ReturnType<typeof createAocService>;
export type FetchedDay = Awaited<ReturnType<AocService['download']>>;
export type DayStatus = Awaited<ReturnType<AocService['status']>>;

export function createAocService(settings: AocSettings, io: Io) {
  const request = { io, signal: new AbortController().signal };
  // The language is of no interest here, but a reference has one.
  const placeOf = (question: DayQuestion) => ({
    site: siteOf(settings, question.site),
    reference: parseReference({ ...question, lang: 'python' }),
  });
  return {
    /** Puts page and input into the user's cache, where they are not yet; `fresh` asks for the page again. */
    async download(question: DayQuestion, { fresh = false }: { readonly fresh?: boolean } = {}) {
      const { site, reference } = placeOf(question);
      checkDay(site, reference, io.clock.now());
      const client = createSiteClient(settings, reference, request);
      const { title, parts, stars } = await client.page(fresh ? 'fresh' : 'kept');
      const input = await client.input();
      const kept = await readCache(site, reference, request);
      // A name in `io.files`, unless another tool of the user's keeps the input.
      const inputFile = kept.input === null ? null : kept.inputFile;
      // Markdown: part 1 and, where the account has solved it, part 2.
      return { title, parts: parts.map(markdownOf), input, inputFile, stars };
    },
    /** Hands in an answer by hand, under the rules that runs keep; `part` is by default the one that is open. */
    async submit(question: DayQuestion, answer: string, part?: 1 | 2): Promise<ToolResult> {
      const { site, reference } = placeOf(question);
      checkDay(site, reference, io.clock.now());
      const client = createSiteClient(settings, reference, request);
      const { stars, parts } = await client.page('kept');
      const open = part ?? (stars === 0 || parts.length < 2 ? 1 : 2);
      const context = { ...request, past: [], stage: `part${open}`, runId: 'by hand' };
      const estimate = { part: open, answer: answer.trim(), context, longestWaitMs: 0, isOfAnyForm: false };
      const outcome = await judge(client, estimate);
      const isNew = outcome.verdict === 'right' && outcome.source === 'site';
      return resultOf({ ...outcome, stars: (await client.page(isNew ? 'fresh' : 'kept')).stars });
    },
    /** Reads the user's cache alone, and asks no site. */
    async status(question: DayQuestion) {
      const { site, reference } = placeOf(question);
      const { page, input, guesses } = await readCache(site, reference, request);
      const { title = null, stars = 0 } = page ?? {};
      return { hasPage: page !== null, hasInput: input !== null, title, stars, guesses };
    },
  };
}
