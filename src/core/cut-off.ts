/**
 * Words for replies that ended before their model was done, and for what had arrived of a failed one. Such text is
 * displayed and never used: no answer, program, plan, verdict or tool call is taken from it.
 */
import { isCutOff, type ModelSuccess } from './model.ts';

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
