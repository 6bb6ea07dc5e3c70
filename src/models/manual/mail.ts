/** Answers that are posted to a run from elsewhere, from the page for instance. They stay, so that a resumed run finds its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ModelCall } from '../../core/model.ts';
import type { InboxMessage } from '../../core/store.ts';
import { checkAnswer, type PersonAnswer, type Question, type RequestAnswer } from './answer.ts';

export type ReadInbox = (runId: string, afterId: number) => Promise<readonly InboxMessage[]>;

/** The call that a reply is for: as `ModelCall` names it. */
export type ReplyPlace = Pick<ModelCall, 'role' | 'branch' | 'index' | 'attempt'>;

const replySchema = z.object({
  role: z.string(),
  branch: z.string(),
  index: z.number(),
  attempt: z.number(),
  answer: z.unknown(),
});

export function formatReplyMessage(
  { role, branch, index, attempt }: ReplyPlace,
  answer: PersonAnswer,
): string {
  return JSON.stringify({ role, branch, index, attempt, answer });
}

/** Asks in both ways, and cancels the one that is no longer needed. */
export function requestAlsoFromInbox(request: RequestAnswer, read: ReadInbox): RequestAnswer {
  return async (question) => {
    const { run, signal } = question.call;
    if (run === undefined) return request(question);
    const other = new AbortController();
    const until = AbortSignal.any([signal, other.signal]);
    const pair = { ...question, call: { ...question.call, signal: until } };
    try {
      return await Promise.race([request(pair), waitForInboxReply(pair, run, read)]);
    } finally {
      other.abort(signal.reason);
    }
  };
}

const lookEveryMs = 300;

async function waitForInboxReply(
  { request, call }: Question,
  run: string,
  read: ReadInbox,
): Promise<PersonAnswer> {
  let lastId = 0;
  for (;;) {
    // A store that is busy or closed is no reason to end what is asked elsewhere.
    for (const message of await read(run, lastId).catch(() => [])) {
      lastId = message.id;
      const found =
        message.kind === 'reply' ? replySchema.safeParse(JSON.parse(message.text)).data : undefined;
      if (!found || !isFor(found, call)) continue;
      const checked = checkAnswer(found.answer, request);
      if (checked.ok) return checked.answer;
    }
    await sleep(lookEveryMs, undefined, { signal: call.signal });
  }
}

function isFor(place: ReplyPlace, call: ModelCall): boolean {
  const { role, branch, index, attempt } = call;
  return place.role === role && place.branch === branch && place.index === index && place.attempt === attempt;
}
