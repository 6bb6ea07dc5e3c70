/** A note of the search for constants as one line for people: together they are its table while it lives. Pure. */
import type { Event } from '../core/event.ts';
import { count } from '../text/format.ts';
import type { EventLine } from '../text/line.ts';
import { type TuningNote, type TuningNotes, tuningNoteOf } from './tuning.ts';
import { gainText, numberText, pointsText } from './tuning-words.ts';

/** Null where it is no such note. */
export function describeTuningNote(event: Event): EventLine | null {
  const note = tuningNoteOf(event);
  return note && lineOf(note);
}

function lineOf({ kind, data }: TuningNote): EventLine {
  switch (kind) {
    case 'search':
      return { text: searchText(data), tone: 'strong', isQuiet: false };
    case 'trial': {
      const isBest = data.fate === 'best';
      return { text: trialText(data), tone: isBest ? 'good' : 'faint', isQuiet: false };
    }
    default: {
      const isBetter = data.gain?.verdict === 'better';
      return { text: tunedText(data), tone: isBetter ? 'good' : 'warn', isQuiet: false };
    }
  }
}

function searchText({ constants, cases, unseen, areFresh, evaluations }: TuningNotes['search']): string {
  const names = constants.map(({ name, value }) => `${name} = ${numberText(value)}`).join(', ');
  const proof = `${count(unseen, areFresh ? 'new case' : 'case')} that the search does not see`;
  return `tunes ${names}: ${count(cases, 'case')}, at most ${count(evaluations, 'evaluation')}, then ${proof}`;
}

/** Of the same width as long as its numbers are: the columns stand below one another. */
function trialText({ number, values, cases, gain, unit, fate, evaluations }: TuningNotes['trial']): string {
  const fateText = fate === 'best' ? 'BEST   ' : 'dropped';
  const amount = pointsText(gain, unit).padStart(10);
  const at = Object.entries(values).map(([name, value]) => `${name} ${numberText(value)}`);
  return [
    `trial ${String(number).padStart(3)}`,
    `${String(cases).padStart(3)} cases`,
    `${amount} a case`,
    fateText,
    `${String(evaluations).padStart(4)} evaluations`,
    at.join(', '),
  ].join('  ');
}

function tunedText({ gain, unit, because, trials }: TuningNotes['tuned']): string {
  const after = `${because} ${count(trials, 'trial')}.`;
  if (!gain) return `${after} No values were ahead of those of the program.`;
  return `${after} On unseen cases: ${gainText(gain, unit)}`;
}
