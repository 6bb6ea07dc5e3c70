/** What a run asks a person, and how it is answered: the same for the command line and the page. */
import { UserError } from '../core/errors.ts';
import { type Event, modelsBehind } from '../core/event.ts';
import type { RunView } from '../core/fold.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { ModelRequest } from '../core/model.ts';
import type { RunRow } from '../core/store.ts';
import type { Runtime } from '../run/world.ts';
import { oneLine } from '../text/format.ts';
import { text as textAt } from '../text/json.ts';

/** An open question of its agent, or an open call of a model whose place a person takes. The oldest first. */
export function openQuestions({ header, open }: RunView): readonly Event[] {
  const modelHeaders = Object.values(header ? modelsBehind(header) : {}).filter(
    ({ kind }) => kind === 'person',
  );
  const specs = new Set(modelHeaders.map(({ spec }) => spec));
  return open
    .map(({ event }) => event)
    .filter(({ kind, body }) =>
      kind === 'ask' ? true : kind === 'model-request' && specs.has(textAt(body as JsonObject, 'model')),
    );
}

/** In a line. */
export function questionText({ kind, body }: Event): string {
  const jsonObject = body as JsonObject;
  if (kind === 'ask') return oneLine(textAt(jsonObject, 'question'));
  return `the reply of the ${textAt(jsonObject, 'role')}`;
}

export function requestIn(event: Event): ModelRequest {
  return event.body as unknown as ModelRequest;
}

export type RunWithQuestion = {
  readonly row: RunRow;
  readonly view: RunView;
  readonly events: readonly Event[];
};

/** `seq` names the question; without it the oldest is meant. `answer`: a text, or for a model's place what docs/scripts.md says. */
export type ProvidedAnswer = { readonly seq?: number; readonly answer: Json };

/** Resolves to what was answered, in a line. Throws `UserError` where nothing is asked, or the answer does not fit. */
export async function answerRun(
  { store, io }: Pick<Runtime, 'store' | 'io'>,
  { row, view, events }: RunWithQuestion,
  { seq, answer }: ProvidedAnswer,
): Promise<string> {
  const requests = openQuestions(view);
  const question = seq === undefined ? requests[0] : requests.find((event) => event.seq === seq);
  // An answer without a question would be taken for the answer to a later one.
  if (row.ended || !question) throw noOpenQuestion(row.id, seq);
  const atMs = io.clock.now();
  if (question.kind === 'ask') {
    if (typeof answer !== 'string') throw invalidAnswer('A text is asked for, and this is none.');
    await store.post(row.id, { kind: 'answer', text: answer, atMs });
  } else {
    // Loaded here because schemas of answers are needed by hardly any run.
    const { checkAnswer } = await import('../models/manual/answer.ts');
    // As above.
    const { formatReplyMessage: replyMail } = await import('../models/manual/mail.ts');
    const checked = checkAnswer(typeof answer === 'string' ? { text: answer } : answer, requestIn(question));
    if (!checked.ok) throw invalidAnswer(checked.problem);
    const reply = replyMail(placeOf(question, events), checked.answer);
    await store.post(row.id, { kind: 'reply', text: reply, atMs });
  }
  return questionText(question);
}

/** The place of the call, as its model sees it. */
function placeOf(asked: Event, events: readonly Event[]) {
  const role = textAt(asked.body as JsonObject, 'role');
  const { branch, attempt, ordinal } = asked;
  const before = events.filter(
    (event) =>
      event.kind === 'model-request' &&
      event.attempt === 0 &&
      event.branch === branch &&
      textAt(event.body, 'role') === role &&
      (event.ordinal ?? 0) < (ordinal ?? 0),
  );
  const ordinals = new Set(before.map((event) => event.ordinal));
  return { role, branch, attempt, index: ordinals.size };
}

function noOpenQuestion(id: string, seq: number | undefined): UserError {
  return new UserError({
    code: 'no-open-question',
    what:
      seq === undefined
        ? `Run ${id} asks nothing at present.`
        : `Run ${id} no longer asks this: it was answered, or broken off.`,
    fix: `\`polya runs tell ${id} TEXT\` gives it a hint.`,
  });
}

function invalidAnswer(why: string): UserError {
  return new UserError({ code: 'answer-unfit', what: 'The answer does not fit what is asked.', why });
}
