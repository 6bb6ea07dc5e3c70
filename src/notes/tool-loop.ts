/** The notes of the tool loop, in a line each. */
import type { EventOf } from '../core/event.ts';
import { count, grouped } from '../text/format.ts';
import { field } from '../text/json.ts';
import type { EventLine } from '../text/line.ts';
import { loud } from './note.ts';

/** What to do where a model writes its calls as text and none arrives. */
export const noToolParser =
  'It wrote a tool call as text, so its server seems to have no parser for tool calls. Start the server with one (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; SGLang: --tool-call-parser NAME; llama.cpp: --jinja), or set calls=text (--set calls=text), which reads calls in the text.';

/** Null where it is no such note. */
export function describeToolLoopNote({ body: { kind, data } }: EventOf<'note'>): EventLine | null {
  if (kind === 'reminder') {
    const reminded = 'reminded to call a tool';
    return field(data, 'isWritten') === true
      ? loud(`${reminded}. ${noToolParser}`, 'warn')
      : loud(reminded, 'faint');
  }
  if (kind !== 'shortened') return null;
  const results = Number(field(data, 'results') ?? 0);
  if (results === 0)
    return loud('the context of the model is full, and no old result can be shortened', 'warn');
  const omitted = `${grouped(Number(field(data, 'characters') ?? 0))} characters of ${count(results, 'old result')}`;
  return loud(`the context of the model is full: ${omitted} are left out`, 'warn');
}
