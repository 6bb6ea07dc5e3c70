/** Routes of what waits for a person, in all runs of the store that have not ended. */
import { Hono } from 'hono';
import type { Event } from '../core/event.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { RunRow } from '../core/store.ts';
import { imagesIn, newFrom, promptText } from '../models/manual/prompt-text.ts';
import type { QuestionItem } from '../notes/page-items.ts';
import { answerRun, openQuestions, requestIn } from '../open/answering.ts';
import { readableRuns } from '../run/spending.ts';
import { shellWord } from '../text/format.ts';
import { isObject, list, text } from '../text/json.ts';
import { rejectRequest } from './guard.ts';
import type { OfRun, Routes } from './routes.ts';

/** Runs that nobody is at work on are looked at too, so far back: they read the answer when they are resumed. */
const mostRuns = 1_000;

export function questionRoutes({ polya, reader }: Routes): Hono<OfRun> {
  const { store } = polya.world;
  const app = new Hono<OfRun>();

  /** By run: most of those that are interrupted stay as they are. */
  const known = new Map<string, { readonly mark: string; readonly found: readonly QuestionItem[] }>();
  const questionsOf = async (row: RunRow): Promise<readonly QuestionItem[]> => {
    const { view } = await reader.journal(row.id);
    return openQuestions(view).map((event) => questionItem(row, event));
  };

  app.get('/questions', async (context) => {
    const rows = await readableRuns(store, () => undefined, { limit: mostRuns });
    const questions: QuestionItem[] = [];
    for (const row of rows.filter(({ ended }) => !ended)) {
      const mark = `${row.lastSeq} ${row.owner?.pid}`;
      const kept = known.get(row.id);
      const found = kept?.mark === mark ? kept.found : await questionsOf(row);
      known.set(row.id, { mark, found });
      questions.push(...found);
    }
    return context.json({ questions: questions.toSorted((a, b) => a.atMs - b.atMs) });
  });

  app.post('/runs/:id/questions/:seq', async (context) => {
    const { id, seq } = context.req.param();
    const row = context.get('row');
    const body: unknown = await context.req.json().catch(() => null);
    const answer = isObject(body) ? body.answer : undefined;
    if (answer === undefined)
      return rejectRequest(context, 400, 'Send {"answer": …}: a text, or what the question asks for.');
    if (typeof answer === 'string' && answer.trim() === '')
      return rejectRequest(context, 409, 'The answer is empty.');
    const { view, events } = await reader.journal(id);
    const answered = await answerRun(polya.world, { row, view, events }, { seq: Number(seq), answer });
    return context.json({ answered });
  });

  return app;
}

function questionItem(row: RunRow, event: Event): QuestionItem {
  const { id, summary, owner } = row;
  const body = event.body as JsonObject;
  const common = {
    run: id,
    seq: event.seq,
    atMs: event.atMs,
    isAlive: owner !== null,
    title: text(summary, 'title'),
    problem: text(summary, 'problem'),
    agent: text(summary, 'agent'),
    command: `polya runs answer ${shellWord(id)} "…"`,
  };
  if (event.kind === 'ask') {
    const question = text(body, 'question');
    const none = { before: '', images: [], schema: null, tools: [], place: event.branch };
    return { ...common, ...none, kind: 'question', text: question, choices: choicesIn(question) };
  }
  const request = requestIn(event);
  const from = newFrom(request);
  const { output, tools = [] } = request;
  const shown = { ...request, messages: request.messages.slice(from), tools: [], output: undefined };
  return {
    ...common,
    kind: 'model',
    place: [text(body, 'role'), event.branch].filter(Boolean).join(', '),
    text: promptText(shown),
    before: from > 0 ? promptText({ ...shown, messages: request.messages.slice(0, from) }) : '',
    images: imagesIn(request).map(({ mediaType, data }) => `data:${mediaType};base64,${data}`),
    choices: enumValues(output?.schema),
    schema: output ? JSON.stringify(output.schema, null, 2) : null,
    tools: tools.map(
      ({ name, description, parameters }) => `${name}: ${description}\n${JSON.stringify(parameters)}`,
    ),
  };
}

/** `(yes/no)` or `[a | b | c]` at the end of a question. */
function choicesIn(question: string): readonly string[] {
  const [, words = ''] = /[[(]([^\])(]{1,200})[\])]\s*[?.:]?\s*$/.exec(question) ?? [];
  const parts = words.split(/[/|]/).map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => /^[^\s]{1,40}$/.test(part)) ? parts : [];
}

/** Where the whole answer is one of some values, or an object of one field that is: that object as JSON. */
function enumValues(schema: Json | undefined): readonly string[] {
  const own = list(schema, 'enum').map((value) => JSON.stringify(value));
  if (own.length > 0) return own;
  const properties = isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const [only] = properties;
  if (!only || properties.length > 1) return [];
  return list(only[1], 'enum').map((value) => JSON.stringify({ [only[0]]: value }));
}
