/** A note of the evolution of programs as one line for people. Pure; what strangers wrote is made harmless by its caller. */
import type { Json } from '../core/json.ts';
import { count, duration } from '../text/format.ts';
import { text } from '../text/json.ts';
import type { EventLine } from '../text/line.ts';
import type { Tone } from '../text/paint.ts';
import {
  type CandidateNote,
  type EvolutionNote,
  type EvolutionNotes,
  evolutionNoteShapes,
} from './evolution.ts';
import { createDescriber, majorLine, minorLine } from './note.ts';
import { numberText } from './tuning.ts';

export const describeEvolutionNote = createDescriber(evolutionNoteShapes, lineOf);

function lineOf({ kind, data }: EvolutionNote): EventLine {
  switch (kind) {
    case 'setting':
      return majorLine(settingText(data), 'strong');
    case 'analysis': {
      const title = text(data.analysis as Json, 'title') || 'made';
      return majorLine(`analysis: ${title}${originTexts[data.origin]}`);
    }
    case 'strategies':
      return majorLine(strategiesText(data));
    case 'doing':
      return minorLine(`now: ${data.what || 'nothing'}`);
    case 'waited':
      return minorLine(`you were waited for, ${duration(data.ms)} in all: that is not the session's time`);
    case 'candidate':
      return majorLine(candidateText(data), statusTone(data.status));
    case 'best':
      return majorLine(`BEST ${data.id}, score ${scoreText(data.score)}: ${data.because}`, 'good');
    case 'generation': {
      const { generation, best, score } = data;
      const ending = best === null ? 'nothing works yet' : `best ${best}, score ${scoreText(score)}`;
      return majorLine(`generation ${generation} is over: ${ending}`, 'strong');
    }
    case 'migration':
      return majorLine(`${data.id} goes from island ${data.from} to island ${data.to} as well`, 'faint');
    case 'final':
      return majorLine(finalText(data), 'good');
    case 'more-cases': {
      const cases = count(data.evaluation.cases.length, data.why === 'load' ? 'case' : 'more case');
      return majorLine(`${data.id} ran on ${cases} ${moreTexts[data.why]}`, 'warn');
    }
    case 'trial':
      return majorLine(trialText(data), 'warn');
    case 'hint':
      return majorLine(`hint ${data.number}: ${data.text}`, 'warn');
    case 'answer':
      return majorLine(`asked: ${data.question} Answered: ${data.text}`, 'warn');
    case 'heard': {
      const isAnswer = data.became === 'question';
      return majorLine(isAnswer ? `answered: ${data.text}` : `heard: ${data.text} ${data.reply}`, 'warn');
    }
    case 'rejected':
      return majorLine(`settings that cannot hold: ${data.because}`, 'warn');
    case 'changed':
      return majorLine(`from here on: ${JSON.stringify(data.settings)}`, 'warn');
    case 'search-over':
      return majorLine(`the search is over: ${data.because}`, 'warn');
  }
}

const moreTexts: Readonly<Record<EvolutionNotes['more-cases']['why'], string>> = {
  load: 'again, beside a program that had another share of a processor',
  final: 'for the final choice',
};

function strategiesText({ strategies, origin }: EvolutionNotes['strategies']): string {
  const names = strategies.map(({ name }) => name).join('; ') || 'none';
  return `strategies: ${names}${originTexts[origin]}`;
}

function settingText(setting: EvolutionNotes['setting']): string {
  const { islands, beginnings = islands, populationSize, maxGenerations, cases } = setting;
  const trial = beginnings > islands ? ` for the best of ${beginnings} beginnings` : '';
  return `evolution on ${count(islands, 'island')}${trial}: ${count(maxGenerations, 'generation')} of ${populationSize}, on ${count(cases, 'case')}`;
}

const originTexts: Readonly<Record<EvolutionNotes['analysis']['origin'], string>> = {
  model: '',
  corrected: ' (after one correction)',
  given: ' (of its user)',
  fallback: ' (no reply could be used)',
};

/** `gen01_id03, change of gen00_id02: score 5,603 (take each lantern away …)` */
function candidateText(note: CandidateNote): string {
  const { id, operator, parents, summary } = note;
  const from = parents.length > 0 ? ` of ${parents.join(' and ')}` : '';
  return `${id}, ${operator}${from}: ${candidateStatusText(note)}${summary ? ` (${summary})` : ''}`;
}

function candidateStatusText({ status, operator, score, detail, evaluation }: CandidateNote): string {
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
    case 'unjudged':
      return `not judged: ${why}`;
    case 'duplicate':
      return `not evaluated: ${why}`;
    case 'unusable':
      return operator === 'tune' ? why : `no program came of it: ${why}`;
    default:
      return `not answered: ${why}`;
  }
}

function statusTone(status: CandidateNote['status']): Tone {
  if (status === 'evaluated') return 'plain';
  return status === 'cut' || status === 'duplicate' || status === 'unjudged' ? 'faint' : 'bad';
}

function finalText(final: EvolutionNotes['final']): string {
  const { chosen, cases, because } = final;
  const where = cases === 0 ? 'no new cases' : count(cases, 'held-out case');
  return `chosen on ${where}: ${chosen}, ${because}${finalImprovementText(final)}`;
}

/** How sure the gain of the chosen program is; empty where there is nothing to compare it with. */
export function finalImprovementText({ chosen, unit = 'score', standings }: EvolutionNotes['final']): string {
  const { gain = null, low = null, high = null } = standings.find(({ id }) => id === chosen) ?? {};
  if (gain === null || low === null || high === null) return '';
  const [by, from, to] = [Math.abs(gain), low, high].map((value) => formatAmount(value, unit));
  const how = gain < 0 ? 'worse' : 'better';
  const share = unit === 'share' ? ' of the best known' : '';
  return `; ${by}${share} a case ${how} than the first program, 95 % interval ${from} to ${to}`;
}

function formatAmount(value: number, unit: 'score' | 'share'): string {
  return unit === 'share' ? `${(value * 100).toFixed(2)} %` : numberText(value);
}

function trialText({ kept, ended }: EvolutionNotes['trial']): string {
  const lines = (numbers: readonly number[]) =>
    `island${numbers.length === 1 ? '' : 's'} ${numbers.join(' and ')}`;
  const going = `${lines(kept)} ${kept.length === 1 ? 'goes' : 'go'} on`;
  const ending = ended.length === 1 ? 'ends with its' : 'end with their';
  const beginnings = count(kept.length + ended.length, 'beginning');
  return `of ${beginnings} ${going}; ${lines(ended)} ${ending} first program`;
}

function scoreText(score: number | null): string {
  return score === null ? '–' : numberText(score);
}
