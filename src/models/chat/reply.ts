/** The values of a reply, streamed chunks or one complete value, as one message with its usage and its end. */
import type { JsonObject } from '../../core/json.ts';
import type { ModelCall, ModelFailure } from '../../core/model.ts';
import {
  type Collected,
  checkCallCount,
  checkReplyLength,
  endedEarly,
  judged,
  malformedReply,
  type ReplyPart,
} from '../collected.ts';
import { readFinishReason } from '../finish-reasons.ts';
import { withDetails } from './details.ts';
import { type ChatMessage, type Choice, type ContentPart, chunkSchema } from './schema.ts';
import { ToolCallCollector, wireKey } from './tool-calls.ts';
import { UsageCollector } from './usage.ts';

type ReasoningField = 'reasoning' | 'reasoning_content';

export class ReplyCollector {
  readonly #onDelta: ModelCall['onDelta'];
  readonly #keepsDetails: boolean;
  readonly #usage = new UsageCollector();
  /** Of several choices, the one of the lowest index is the reply. */
  #index = Number.POSITIVE_INFINITY;
  #parts: ReplyPart[] = [];
  #calls = new ToolCallCollector();
  #details: JsonObject[] = [];
  #refusal = '';
  #length = 0;
  #model: string | undefined;
  #tier: string | undefined;
  #finish: string | undefined;
  #isDamaged = false;
  #hasDeltas = false;
  /** What came before a complete message and may stand in it once more. */
  #before = { text: '', reasoning: '' };
  #skipped = 0;
  readonly #notices: string[] = [];
  /** Whether a part of it came. */
  hasArrived = false;
  #hasEnded = false;

  constructor(onDelta: ModelCall['onDelta'], keepsDetails: boolean) {
    this.#onDelta = onDelta;
    this.#keepsDetails = keepsDetails;
  }

  /** Whether the reply has come to its end; usage may still follow. */
  get isFinished(): boolean {
    return readFinishReason(this.#finish).kind !== 'none';
  }

  /** Whether nothing of it is missing but perhaps its usage. */
  get isOver(): boolean {
    return this.isFinished || (this.#hasEnded && this.hasArrived);
  }

  /** Whether nothing of it is missing, and its usage has come, too, or will not come. */
  get isComplete(): boolean {
    return this.isFinished && this.#hasEnded;
  }

  /** The server says that nothing follows, whether it gave a reason or not. */
  end(): void {
    this.#hasEnded = true;
  }

  /** What is no part of a reply counts as skipped. Throws `ReplyTooLong`. */
  add(value: unknown): void {
    const chunk = chunkSchema.safeParse(value).data;
    if (!chunk) return this.skip();
    this.#usage.add(value);
    const selected = this.#selectChoice(chunk.choices ?? []);
    this.#model ||= chunk.model || undefined;
    this.#tier = chunk.service_tier || this.#tier;
    for (const choice of selected) this.#addChoice(choice);
    if (chunk.choices?.length) return;
    if (this.hasArrived && Object(value).usage) this.end();
    else if (!('usage' in Object(value))) this.skip();
  }

  /** All of the lowest index: some servers give text and calls an entry each. Of two complete texts, one is the reply. */
  #selectChoice(choices: readonly (Choice | null)[]): readonly Choice[] {
    const present = choices.filter((choice) => choice !== null);
    const lowest = Math.min(...present.map(({ index }) => index ?? 0), this.#index);
    if (lowest < this.#index) this.#startOver(lowest);
    const ofLowest = present.filter(({ index }) => (index ?? 0) === lowest);
    const first = ofLowest.find(({ message }) => message?.content);
    return ofLowest.filter((choice) => choice === first || !choice.message?.content);
  }

  /** What came so far was of a choice that is not read. */
  #startOver(index: number): void {
    this.#index = index;
    this.#parts = [];
    this.#calls = new ToolCallCollector();
    this.#details = [];
    this.#refusal = '';
    this.#finish = undefined;
  }

  recordLateError(message: string): void {
    this.#notices.push(`Behind the end of its reply, the server reported an error: ${message.slice(0, 200)}`);
  }

  skip(): void {
    this.#skipped += 1;
  }

  /** An event that was to be a part of the reply and cannot be read: what it held is missing. */
  markCorrupt(): void {
    this.#isDamaged = true;
  }

  #addChoice({ delta, message, text, ...choice }: Choice): void {
    this.hasArrived = true;
    this.#hasDeltas ||= Boolean(delta);
    if (delta) this.#addMessage(delta, false);
    else if (message) this.#addMessage(message, true);
    else if (text) this.#appendText('text', text);
    // A word for the end counts more than none, and a bad end more than a good one, also of the model behind a gateway.
    for (const raw of [choice.native_finish_reason, choice.finish_reason]) {
      if (raw && severity(raw) >= severity(this.#finish)) this.#finish = raw;
    }
  }

  #addMessage(message: ChatMessage, isComplete: boolean): void {
    if (isComplete) this.#before = { text: this.#textOf('text'), reasoning: this.#textOf('reasoning') };
    const field: ReasoningField = message.reasoning_content ? 'reasoning_content' : 'reasoning';
    this.#addText('reasoning', message[field] ?? '', isComplete, field);
    for (const part of contentParts(message.content)) this.#addPart(part, isComplete);
    if (message.refusal) this.#addRefusal(message.refusal);
    this.#details.push(...(message.reasoning_details ?? []).filter((each) => each !== null));
    // A stream may end with the complete message that its deltas have brought already.
    const isDuplicate = isComplete && this.#calls.count > 0;
    for (const call of message.tool_calls ?? []) if (call && !isDuplicate) this.#calls.add(call, isComplete);
    if (message.function_call && !isDuplicate)
      this.#calls.add({ function: message.function_call }, isComplete);
    checkCallCount(this.#calls.count);
    this.#bound(callLength(message));
  }

  #addPart(part: ContentPart, isComplete: boolean): void {
    if (part === null) return;
    if (typeof part === 'string') return this.#addText('text', part, isComplete);
    const inner = part.thinking ?? part.reasoning;
    const isReasoning = inner !== null && inner !== undefined;
    if (isReasoning) this.#addText('reasoning', joinedText(inner), isComplete, 'reasoning_content');
    if (part.refusal) this.#addRefusal(part.refusal);
    const type = /^(thinking|reasoning)/.test(part.type) ? 'reasoning' : 'text';
    if (part.text && !isReasoning) this.#addText(type, part.text, isComplete, 'reasoning_content');
  }

  #addText(type: 'text' | 'reasoning', text: string, isComplete: boolean, field?: ReasoningField): void {
    if (text === '') return;
    if (!isComplete) return this.#appendText(type, text, field);
    const before = this.#before[type];
    if (this.#hasDeltas && before.startsWith(text)) {
      this.#before[type] = before.slice(text.length);
      return;
    }
    const isDuplicate = text.startsWith(before);
    // Some servers stream messages in the place of deltas: what repeats nothing goes on.
    if (!isDuplicate && this.#hasDeltas) return;
    this.#before[type] = '';
    this.#appendText(type, isDuplicate ? text.slice(before.length) : text, field);
  }

  #textOf(type: 'text' | 'reasoning'): string {
    return this.#parts.map((part) => (part.type === type ? part.text : '')).join('');
  }

  #addRefusal(text: string): void {
    this.#bound(text.length);
    this.#refusal += text;
    this.#onDelta?.({ type: 'text', text });
  }

  #appendText(type: 'text' | 'reasoning', text: string, field?: ReasoningField): void {
    if (text === '') return;
    this.#bound(text.length);
    const last = this.#parts.at(-1);
    if (last?.type === type) this.#parts[this.#parts.length - 1] = { ...last, text: last.text + text };
    else this.#parts.push({ type, text, ...nameOf(type, field) });
    this.#onDelta?.({ type, text });
  }

  #bound(length: number): void {
    this.#length = checkReplyLength(this.#length + length);
  }

  /** `broken`: why the reading ended before its end. `isStream`: its end must have a reason. */
  collected(isStream: boolean, modelFailure?: ModelFailure): Collected {
    const calls = this.#calls.parts();
    const rejections: readonly ReplyPart[] = this.#refusal ? [{ type: 'text', text: this.#refusal }] : [];
    const unended = isStream && !this.isOver ? endedEarly(this.hasArrived, this.#skipped) : undefined;
    const reply = judged({
      content: withDetails(
        [...this.#parts, ...rejections, ...(calls ?? [])],
        this.#details,
        this.#keepsDetails,
      ),
      raw: this.#finish,
      tokens: this.#usage.tokens,
      reportedCostUsd: this.#usage.costUsd,
      servedBy: this.#model,
      tier: this.#tier,
      skippedEvents: this.#skipped || undefined,
      notices: this.#notices,
      failed: modelFailure ?? (calls ? (unended ?? this.#corruptReply()) : namelessCall),
    });
    return this.#refusal !== '' && reply.finish === 'stop' ? { ...reply, finish: 'refusal' } : reply;
  }

  #corruptReply(): ModelFailure | undefined {
    if (!this.#isDamaged) return undefined;
    return malformedReply('The reply is damaged: a part of its stream is no JSON.');
  }
}

const namelessCall = malformedReply('The reply calls a tool without its name.');

const severities = { none: 0, unknown: 1, ended: 2, broken: 4 };

function severity(raw: string | undefined): number {
  const finishInfo = readFinishReason(raw);
  const isBadEnd =
    finishInfo.kind === 'ended' && (finishInfo.finish === 'length' || finishInfo.finish === 'refusal');
  return severities[finishInfo.kind] + (isBadEnd ? 1 : 0);
}

/** The usual name needs no note. */
function nameOf(type: 'text' | 'reasoning', field: ReasoningField | undefined) {
  if (type === 'text' || field !== 'reasoning') return {};
  return { provider: { [wireKey]: { reasoning_field: field } } };
}

function contentParts(content: ChatMessage['content']): readonly ContentPart[] {
  if (content === null || content === undefined) return [];
  return Array.isArray(content) ? content : [content];
}

function joinedText(inner: string | readonly { readonly text: string }[]): string {
  return typeof inner === 'string' ? inner : inner.map(({ text }) => text).join('');
}

function callLength({ tool_calls, function_call }: ChatMessage): number {
  const calls = [...(tool_calls ?? []).map((call) => call?.function), function_call];
  return calls.reduce((sum, call) => sum + (call?.arguments?.length ?? 0), 0);
}
