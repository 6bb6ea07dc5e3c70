/** A session as one page: course, lineage, what paid, where it is strong, what it cost. Everything in it is folded from the journal. */

import { type Page, pageOf, type Section } from '../../../cli/charts/page.ts';
import { count, dollars, duration, grouped, moment } from '../../../text/format.ts';
import { allModels } from '../../../text/labels.ts';
import type { AhcSession } from '../load/session.ts';
import type { SeenSession } from '../session/look.ts';
import { courseSection, lineageSection, sourceSection } from './course-sections.ts';
import {
  candidateSection,
  creditSections,
  groupSection,
  standingSection,
  wordsSection,
} from './credit-sections.ts';
import type { ReportParts } from './parts.ts';

export function reportPage(parts: ReportParts): string {
  const { ahc, seen } = parts;
  const { place, status, state } = seen;
  const { manifest } = place;
  const page: Page = {
    title: `${manifest.contest}: ${manifest.name}`,
    subtitle: `${status}; begun ${moment(manifest.createdAtMs)}; ${scriptWords(seen)}scores ${scoreWords(manifest)}`,
    facts: factsOf(ahc, seen),
    sections: [
      courseSection(parts),
      standingSection(parts),
      ...creditSections(parts),
      groupSection(parts),
      lineageSection(parts),
      wordsSection(parts),
      candidateSection(parts),
      sourceSection(parts),
    ].filter((each): each is Section => each !== null),
  };
  return state.candidates.length > 0 ? pageOf(page) : pageOf({ ...page, sections: [nothingYet] });
}

const nothingYet: Section = {
  heading: 'Nothing yet',
  body: '<p>No program was made in this session yet.</p>',
};

function scoreWords({ direction, scoring }: ReportParts['seen']['place']['manifest']): string {
  if (scoring === 'relative') return 'are shares of the best known, of 10⁹; more is better';
  return direction === 'maximise'
    ? 'as the contest counts them; more is better'
    : 'as the contest counts them; less is better';
}

/** What the page says in numbers, for programs. */
export function reportJson({ ahc, seen }: ReportParts) {
  const { state, place, status } = seen;
  const { hints, bestId, final } = state;
  const scoreOf = ahc.scoresOf(state, place.manifest);
  const credit = ahc.creditor(state, place.manifest);
  return {
    session: place.manifest.name,
    status,
    best: bestId === null ? null : { id: bestId, score: scoreOf(bestId) },
    course: ahc.milestonesOf(seen.events).map((each) => ({ ...each, score: scoreOf(each.id) })),
    operators: ahc.creditByOperator(state, place.manifest),
    prompts: ahc.promptsUsed(state).map(({ name, words, candidates }) => ({
      ...{ name, words },
      ...credit((each) => candidates.has(each)),
    })),
    hints: hints.map(({ number, text }) => ({
      number,
      text,
      ...credit(({ note }) => note.hints.includes(number)),
    })),
    groups: ahc.standingsByFeature(state, place.manifest),
    final,
  };
}

/** Replies that were written ahead are labelled wherever a result is shown. */
function scriptWords({ state }: SeenSession): string {
  const models = Object.values(allModels(state.run));
  return models.some(({ kind }) => kind === 'script') ? 'by a script, not by a model; ' : '';
}

function factsOf(ahc: AhcSession, seen: SeenSession): Page['facts'] {
  const { state, place } = seen;
  const { run, bestId, setting } = state;
  const { totals } = run;
  const best = ahc.candidateOf(state, bestId);
  const score = ahc.scoresOf(state, place.manifest)(bestId ?? '');
  const isFree = scriptWords(seen) !== '' && totals.costUsd === 0 && totals.callsOfUnknownCost === 0;
  const paid =
    totals.callsOfUnknownCost > 0 ? `unknown (${dollars(totals.costUsd)} is known)` : dollars(totals.costUsd);
  const tokens = `${grouped(totals.tokens.input)} in, ${grouped(totals.tokens.output)} out`;
  const unknown =
    totals.callsOfUnknownTokens > 0 ? `, unknown of ${count(totals.callsOfUnknownTokens, 'call')}` : '';
  const backend = best?.note.evaluation?.backend ?? run.header?.sandbox?.backend ?? '–';
  return [
    ['best', bestId === null ? '–' : `${score === null ? '–' : ahc.plainNumber(score)} (${bestId})`],
    ['generations', setting ? `${state.generation} of ${setting.maxGenerations}` : `${state.generation}`],
    ['programs', `${state.candidates.length}`],
    ['time alive', duration(run.aliveMs)],
    ['calls', `${totals.modelCalls}`],
    ['tokens', `${tokens}${unknown}`],
    ['cost', isFree ? 'free (script)' : paid],
    ['models', modelWords(allModels(run))],
    [
      'programs were run by',
      backend === 'none' ? 'none: without a sandbox, with its user’s rights' : backend,
    ],
    ['ended because', state.over ?? run.end?.outcome ?? 'it has not'],
  ];
}

function modelWords(models: Readonly<Record<string, { readonly spec: string }>>): string {
  return Object.entries(models)
    .map(([role, { spec }]) => (role === 'default' ? spec : `${role}: ${spec}`))
    .join(', ');
}
