/**
 * What the patterns of the tool loop share: calls beside the conversation, which count like all others, and failed attempts in
 * short. It knows no pattern.
 */
import type { Run } from '../../core/agent.ts';
import { requireReply } from '../../core/cut-off.ts';
import type { JsonObject } from '../../core/json.ts';
import {
  type ImagePart,
  isCutOff,
  type Message,
  type ModelSettings,
  type TextPart,
  textOf,
} from '../../core/model.ts';
import type { ToolResult } from '../../core/problem.ts';
import { withoutThoughts } from '../../text/model-json.ts';

export { system, user } from '../kit/asking.ts';

export type Statement = readonly (TextPart | ImagePart)[];

/** A program that failed, or an answer that was not accepted. */
export type Attempt = { readonly call: string; readonly result: string };

export type CallCounts = { modelCalls: number; toolCalls: number };

export class Helper {
  readonly run: Run;
  readonly #settings: ModelSettings;
  readonly #used: CallCounts;

  constructor(run: Run, settings: ModelSettings, used: CallCounts) {
    this.run = run;
    this.#settings = settings;
    this.#used = used;
  }

  /** The text of a reply, which is noted; null for one that is refused, cut off or empty: the loop goes on without it. */
  async request(kind: string, messages: readonly Message[]): Promise<string | null> {
    const received = await this.run.generate('solver', { messages, settings: this.#settings });
    this.#used.modelCalls += 1;
    if (received.ok && isCutOff(received)) return null;
    const reply = requireReply(received);
    const text = withoutThoughts(textOf(reply.message)).trim();
    if (reply.finish === 'refusal' || text === '') return null;
    this.run.note(kind, { text });
    return text;
  }

  async callTool(name: string, args: JsonObject): Promise<ToolResult> {
    this.#used.toolCalls += 1;
    return this.run.tool(name, args);
  }

  toolCallsLeft(): number {
    return (this.run.limits.toolCalls ?? Number.POSITIVE_INFINITY) - this.#used.toolCalls;
  }
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
  if (last?.role !== 'user') return [...messages, { role: 'user', content: text }];
  const content =
    typeof last.content === 'string'
      ? `${last.content}\n\n${text}`
      : [...last.content, { type: 'text', text } as const];
  return [...messages.slice(0, -1), { ...last, content }];
}
