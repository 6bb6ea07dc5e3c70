/**
 * Replies that ended before their model was done, and what had arrived of failed ones: as errors and as words. Such text is
 * displayed and never used: no answer, program, plan, verdict or tool call is taken from it.
 */
import { ContextOverflow, describeFailure, EffectFailed, isProviderOutage } from './errors.ts';
import { isCutOff, type ModelFailure, type ModelSuccess, textOf } from './model.ts';

/** A complete reply. Throws for agents that cannot do without it: `EffectFailed`, or its kinds that end a run in their own way. */
export function requireReply(reply: ModelSuccess | ModelFailure): ModelSuccess {
  if (reply.ok && describeCut(reply) !== null) throw new ReplyCutOff(reply);
  if (reply.ok) return reply;
  const { message: _, ...model } = reply.error;
  const error = {
    name: model.kind,
    message: describeFailure(reply),
    unavailable: isProviderOutage(model.kind) || undefined,
    model,
  };
  throw model.kind === 'context-overflow' ? new ContextOverflow(error) : new EffectFailed(error);
}

/** A reply was cut off before its end. A run that it ends is `malformed`. */
export class ReplyCutOff extends EffectFailed {
  /** `answer`: what the reply would have answered, in words for people. */
  constructor(reply: ModelSuccess, answer?: string) {
    const partialText = textOf(reply.message);
    const text = answer === undefined ? '' : `It would have answered ${answer}, which does not count.`;
    const parts = [describeCut(reply), text, describePartialText(partialText)];
    const model = { kind: 'malformed', retryable: false, partialText } as const;
    super({ name: 'malformed', message: parts.filter(Boolean).join(' '), model });
  }
}

type ReplyEnd = Pick<ModelSuccess, 'finish' | 'rawFinish'>;

/** How a reply was cut off, as a sentence for people; null for a complete one. */
export function describeCut(reply: ReplyEnd, subject = 'The reply'): string | null {
  if (!isCutOff(reply)) return null;
  const { finish, rawFinish } = reply;
  if (finish === 'length')
    return `${subject} was cut off at its limit of tokens${rawFinish ? ` (${rawFinish})` : ''}.`;
  if (endedBeforeCall(reply)) return `${subject} was cut off: it promised a tool call and holds none.`;
  return `${subject} was cut off (${rawFinish ? `unknown reason “${rawFinish}”` : 'no reason is known'}).`;
}

/**
 * The same for the model that wrote it, with what to do; null for a complete reply. It is all that the model is told: what
 * agents say of replies that cannot be read is untrue of one that was cut off.
 */
export function cutFeedback(reply: ReplyEnd, consequence = 'nothing in it counts'): string | null {
  const place = cutPlace(reply);
  if (place === null) return null;
  return `Your reply was cut off ${place}, so ${consequence}. Reply again, completely and more briefly.`;
}

/** Where a reply was cut off, as the end of a sentence; null for a complete reply. */
export function cutPlace(reply: ReplyEnd): string | null {
  if (!isCutOff(reply)) return null;
  if (reply.finish === 'length') return 'at its limit of tokens';
  return endedBeforeCall(reply) ? 'before its tool call' : 'before its end';
}

/** A reply that ends with a word for tool calls counts as cut only where it has none. */
function endedBeforeCall({ rawFinish = '' }: ReplyEnd): boolean {
  return /^(tool|function)[-_ ]?(call|use)/i.test(rawFinish);
}

const maxExcerpt = 600;

/** The first and last characters of a text, in one line. */
export function excerpt(text: string, most = maxExcerpt): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  const half = Math.floor(most / 2);
  const omitted = line.length - 2 * half;
  return `${line.slice(0, half).toWellFormed()} [… ${omitted} characters …] ${line.slice(-half).toWellFormed()}`;
}

/** A sentence that quotes what had arrived; empty where that is nothing. */
export function describePartialText(text: string | undefined): string {
  const words = excerpt(text ?? '');
  return words === '' ? '' : `What had arrived, and does not count: “${words}”`;
}

/** Who refused, the model or its provider's filter, and in which words. */
export function describeModelRefusal({ rawFinish = '' }: ReplyEnd, subject = 'The model'): string {
  if (rawFinish === '' || /^refus/i.test(rawFinish)) return `${subject} refused.`;
  return `The provider's content filter ended the reply (${rawFinish.replace(/\.$/, '')}).`;
}
