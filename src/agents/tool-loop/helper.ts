/**
 * What the patterns of the tool loop share: calls beside the conversation, which count like all others, and failed attempts in
 * short. It knows no pattern.
 */
import type { Run } from '../../core/agent.ts';
import { requireReply } from '../../core/cut-off.ts';
import { isCutOff, type Message, type ModelSettings, textOf } from '../../core/model.ts';
import type { Problem, ProblemSpec } from '../../core/problem.ts';
import { withoutThoughts } from '../../text/model-json.ts';
import { system, user } from '../kit/asking.ts';

export type CallCounts = { modelCalls: number; toolCalls: number };

export type Work = {
  readonly run: Run;
  readonly problem: Problem;
  readonly settings: ModelSettings;
  readonly used: CallCounts;
};

export type Statement = ProblemSpec['statement'];

/** A program that failed, or an answer that was not accepted. */
export type Attempt = { readonly call: string; readonly result: string };

type HelperRequest = {
  /** The kind of the note that keeps the reply. */
  readonly kind: string;
  readonly instructions: string;
  readonly statement: Statement;
  readonly question?: string | undefined;
};

/** The text of a reply, which is noted; null for one that is refused, cut off or empty: the loop goes on without it. */
export async function requestHelp({ run, settings, used }: Work, request: HelperRequest) {
  const { kind, instructions, statement, question } = request;
  const messages: Message[] = [system(instructions), { role: 'user', content: statement }];
  if (question !== undefined) messages.push(user(question));
  const received = await run.generate('solver', { messages, settings });
  used.modelCalls += 1;
  if (received.ok && isCutOff(received)) return null;
  const reply = requireReply(received);
  const text = withoutThoughts(textOf(reply.message)).trim();
  if (reply.finish === 'refusal' || text === '') return null;
  run.note(kind, { text });
  return text;
}

export function toolCallsLeft({ run, used }: Work): number {
  return (run.limits.toolCalls ?? Number.POSITIVE_INFINITY) - used.toolCalls;
}

const [callCharacters, resultCharacters] = [2_000, 600];

export function describeAttempts(attempts: readonly Attempt[]): string {
  return attempts
    .map(({ call, result }, at) => {
      return `Attempt ${at + 1}:\n${shorten(call, callCharacters)}\n\nResult: ${shorten(result, resultCharacters)}`;
    })
    .join('\n\n');
}

export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.floor(maxCharacters / 2);
  return `${text.slice(0, half).toWellFormed()}\n[…]\n${text.slice(-half).toWellFormed()}`;
}

/** In the last message if that is the user's: some servers take no two in a row of one role. */
export function appendText(messages: readonly Message[], text: string): Message[] {
  if (text === '') return [...messages];
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, user(text)];
  const content =
    typeof last.content === 'string'
      ? `${last.content}\n\n${text}`
      : [...last.content, { type: 'text', text } as const];
  return [...messages.slice(0, -1), { ...last, content }];
}
