/** What a session has done since it was last looked at, a line each, for who is attached to it. Pure. */

import type { Output } from '../../../cli/output.ts';
import type { Event } from '../../../core/event.ts';
import { evolutionNoteOf } from '../../../notes/evolution.ts';
import { describeEvolutionNote } from '../../../notes/evolution-line.ts';
import { clip, oneLine } from '../../../text/format.ts';

/** `own`: what was said from here, whose replies are told by themselves. */
export function newsText(
  { paint, columns }: Output,
  events: readonly Event[],
  own: ReadonlySet<string>,
): string {
  return events
    .flatMap((event) => {
      const note = evolutionNoteOf(event);
      if (note === null || note.kind === 'answer') return [];
      if (note.kind === 'heard' && own.has(note.data.key)) return [];
      const line = describeEvolutionNote(event);
      return !line || line.isQuiet ? [] : [`${paint(line.tone, clip(oneLine(line.text), columns - 1))}\n`];
    })
    .join('');
}
