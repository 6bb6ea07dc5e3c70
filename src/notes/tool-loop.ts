/** The notes of the tool loop, in a line each. */
import type { EventOf } from '../core/event.ts';
import { count, grouped } from '../text/format.ts';
import { field, text } from '../text/json.ts';
import type { EventLine } from '../text/line.ts';
import { majorLine } from './note.ts';

/** What to do where a model writes its calls as text and none arrives. */
const noToolParser =
  'It wrote a tool call as text, so its server seems to have no parser for tool calls. Start the server with one (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; SGLang: --tool-call-parser NAME; llama.cpp: --jinja), or set calls=text (--set calls=text), which reads calls in the text.';

/** A reply without a call that could be carried out. `why`: what is wrong with its call, as the rest of a sentence. */
export type MissedCall = { readonly reason: 'none' | 'several' | 'broken' | 'cut'; readonly why?: string };

/** What a line of the journal says of the reminder. */
const reminders: Readonly<Record<MissedCall['reason'], string>> = {
  none: 'reminded to call a tool',
  several: 'reminded to send one call a reply',
  broken: 'reminded to send a call that can be read',
  cut: 'reminded to reply more briefly: the reply was cut off',
};

const isReason = (text: string): text is MissedCall['reason'] => Object.hasOwn(reminders, text);

/** Why a run ended: the last replies held no call that could be carried out. */
export function describeStop(missed: readonly MissedCall[], hasWritten: boolean): string {
  const last = missed.at(-1);
  if (!last || missed.every(({ reason }) => reason === 'none' || reason === 'cut')) {
    const stopped = 'The model called no tool any more.';
    return hasWritten ? `${stopped} ${noToolParser}` : stopped;
  }
  const isReadable = missed.some(({ reason }) => reason === 'several');
  const claim = `held no call that could be ${isReadable ? 'carried out' : 'read'}`;
  if (missed.length === 1) return `The reply ${claim}: ${describeMissedCall(last)}.`;
  return `${numbers[missed.length] ?? missed.length} replies in a row ${claim}; the last: ${describeMissedCall(last)}.`;
}

const numbers = ['', '', 'Two', 'Three', 'Four', 'Five', 'Six'];

function describeMissedCall({ reason, why }: MissedCall): string {
  if (reason === 'broken') return why ?? 'a call in no known form';
  return { none: 'no call at all', several: 'several calls at once', cut: 'a reply that was cut off' }[
    reason
  ];
}

/** Null where it is no such note. */
export function describeToolLoopNote({ body: { kind, data } }: EventOf<'note'>): EventLine | null {
  if (kind === 'reminder') {
    const [reason, why] = [text(data, 'reason'), text(data, 'why')];
    const reminded = reminders[isReason(reason) ? reason : 'none'] + (why === '' ? '' : `: ${why}`);
    return field(data, 'isWritten') === true
      ? majorLine(`${reminded}. ${noToolParser}`, 'warn')
      : majorLine(reminded, 'faint');
  }
  if (kind !== 'shortened') return null;
  const results = Number(field(data, 'results') ?? 0);
  if (results === 0)
    return majorLine('the context of the model is full, and no old result can be shortened', 'warn');
  const omitted = `${grouped(Number(field(data, 'characters') ?? 0))} characters of ${count(results, 'old result')}`;
  return majorLine(`the context of the model is full: ${omitted} are left out`, 'warn');
}
