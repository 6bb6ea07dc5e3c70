/** A note of the evolution of programs as one line for people. Pure; what strangers wrote is made harmless by its caller. */
import type { Event } from '../core/event.ts';
import type { Json } from '../core/json.ts';
import { clip, count, duration } from '../text/format.ts';
import { text } from '../text/json.ts';
import type { EventLine } from '../text/line.ts';
import type { Tone } from '../text/paint.ts';
import { type CandidateNote, type EvolutionNote, type EvolutionNotes, evolutionNoteOf } from './evolution.ts';
import { numberText } from './tuning.ts';

/** Null where it is no such note. */
export function describeEvolutionNote(event: Event): EventLine | null {
  const note = evolutionNoteOf(event);
  return note && lineOf(note);
}

function lineOf({ kind, data }: EvolutionNote): EventLine {
  switch (kind) {
    case 'setting':
      return loud(settingText(data), 'strong');
    case 'analysis':
      return loud(
        `analysis: ${text(data.analysis as Json, 'title') || 'made'}${originText(data.origin)}`,
        'plain',
      );
    case 'strategies':
      return loud(strategiesText(data), 'plain');
    case 'doing':
      return { text: `now: ${data.what || 'nothing'}`, tone: 'faint', isQuiet: true };
    case 'waited': {
      const words = `you were waited for, ${duration(data.ms)} in all: that is not the session's time`;
      return { text: words, tone: 'faint', isQuiet: true };
    }
    case 'candidate':
      return loud(candidateText(data), toneOf(data.status));
    case 'best':
      return loud(`BEST ${data.id}, score ${scoreText(data.score)}: ${data.because}`, 'good');
    case 'generation':
      return loud(generationText(data), 'strong');
    case 'migration':
      return loud(`${data.id} goes from island ${data.from} to island ${data.to} as well`, 'faint');
    case 'final':
      return loud(finalText(data), 'good');
    case 'insights':
      return loud(insightsLine(data), data.because === '' ? 'plain' : 'warn');
    case 'passed-over':
      return loud(
        `${data.id}: passed over ${clip(data.summary || 'a proposal', 80)}: ${clip(data.because, 80)}`,
        'faint',
      );
    case 'learned':
      return loud(learnedText(data), 'plain');
    default:
      return loud(otherText({ kind, data } as EvolutionNote), 'warn');
  }
}

const loud = (line: string, tone: Tone): EventLine => ({ text: line, tone, isQuiet: false });

function strategiesText({ strategies, origin, isMore }: EvolutionNotes['strategies']): string {
  const names = strategies.map(({ name }) => name).join('; ') || 'none that is not followed yet';
  return `${isMore ? 'a further strategy' : 'strategies'}: ${names}${originText(origin)}`;
}

function learnedText({ text, wordings }: EvolutionNotes['learned']): string {
  const words = wordings.length > 0 ? `; ${count(wordings.length, 'prompt')} that paid there` : '';
  return `of earlier sessions: ${clip(text.split('\n')[0] || 'nothing that fits', 150)}${words}`;
}

function insightsLine({ after, summary, because }: EvolutionNotes['insights']): string {
  return `insights after ${count(after, 'candidate')}: ${clip(summary || because, 150)}`;
}

function settingText(setting: EvolutionNotes['setting']): string {
  const { islands, beginnings = islands, populationSize, maxGenerations, cases } = setting;
  const trial = beginnings > islands ? ` for the best of ${beginnings} beginnings` : '';
  return `evolution on ${count(islands, 'island')}${trial}: ${count(maxGenerations, 'generation')} of ${populationSize}, on ${count(cases, 'case')}`;
}

function originText(origin: EvolutionNotes['analysis']['origin']): string {
  return {
    model: '',
    corrected: ' (after one correction)',
    given: ' (of its user)',
    fallback: ' (no reply could be used)',
  }[origin];
}

/** `gen01_id03, change of gen00_id02: score 5,603 (take each lantern away …)` */
function candidateText(note: CandidateNote): string {
  const { id, operator, parents, summary } = note;
  const from = parents.length > 0 ? ` of ${parents.join(' and ')}` : '';
  return `${id}, ${operator}${from}: ${fateText(note)}${summary ? ` (${summary})` : ''}`;
}

function fateText({ status, score, detail, evaluation }: CandidateNote): string {
  const why = detail.split('\n')[0] ?? '';
  switch (status) {
    case 'evaluated':
      return `score ${scoreText(score)}`;
    case 'cut':
      return `dropped after ${count(evaluation?.cases.length ?? 0, 'case')}`;
    case 'compile-error':
      return `does not compile: ${why}`;
    case 'failed':
      return `fails: ${why}`;
    case 'duplicate':
      return `not evaluated: ${why}`;
    case 'unusable':
      return `no program came of it: ${why}`;
    default:
      return `not answered: ${why}`;
  }
}

function toneOf(status: CandidateNote['status']): Tone {
  if (status === 'evaluated') return 'plain';
  return status === 'cut' || status === 'duplicate' ? 'faint' : 'bad';
}

function generationText({ generation, best, score }: EvolutionNotes['generation']): string {
  return `generation ${generation} is over: ${best === null ? 'nothing works yet' : `best ${best}, score ${scoreText(score)}`}`;
}

function finalText(final: EvolutionNotes['final']): string {
  const { chosen, cases, because } = final;
  const where = cases === 0 ? 'no new cases' : count(cases, 'held-out case');
  return `chosen on ${where}: ${chosen}, ${because}${finalGainText(final)}`;
}

/** How sure the gain of the chosen program is; empty where there is nothing that it is held against. */
export function finalGainText({ chosen, unit = 'score', standings }: EvolutionNotes['final']): string {
  const { gain = null, low = null, high = null } = standings.find(({ id }) => id === chosen) ?? {};
  if (gain === null || low === null || high === null) return '';
  const [by, from, to] = [Math.abs(gain), low, high].map((value) => amountText(value, unit));
  const how = gain < 0 ? 'worse' : 'better';
  const share = unit === 'share' ? ' of the best known' : '';
  return `; ${by}${share} a case ${how} than the first program, 95 % interval ${from} to ${to}`;
}

function amountText(value: number, unit: 'score' | 'share'): string {
  return unit === 'share' ? `${(value * 100).toFixed(2)} %` : numberText(value);
}

function otherText({ kind, data }: EvolutionNote): string {
  switch (kind) {
    case 'more-cases': {
      const why = data.why === 'luck' ? 'to see whether it was luck' : 'for the final choice';
      return `${data.id} ran on ${count(data.evaluation.cases.length, 'more case')} ${why}`;
    }
    case 'trial':
      return trialText(data);
    case 'course':
      return `no better program for some time: ${data.change}`;
    case 'hint':
      return `hint ${data.number}: ${data.text}`;
    case 'answer':
      return `asked: ${data.question} Answered: ${data.text}`;
    case 'heard':
      return data.became === 'question' ? `answered: ${data.text}` : `heard: ${data.text} ${data.reply}`;
    case 'rejected':
      return `settings that cannot hold: ${data.because}`;
    case 'changed':
      return `from here on: ${JSON.stringify(data.settings)}`;
    case 'search-over':
      return `the search is over: ${data.because}`;
    default:
      return JSON.stringify(data);
  }
}

function trialText({ kept, ended }: EvolutionNotes['trial']): string {
  const lines = (numbers: readonly number[]) =>
    `island${numbers.length === 1 ? '' : 's'} ${numbers.join(' and ')}`;
  return `of ${count(kept.length + ended.length, 'beginning')} ${lines(kept)} ${kept.length === 1 ? 'goes' : 'go'} on; ${lines(ended)} ${ended.length === 1 ? 'ends' : 'end'} with ${ended.length === 1 ? 'its' : 'their'} first program`;
}

function scoreText(score: number | null): string {
  return score === null ? '–' : numberText(score);
}
