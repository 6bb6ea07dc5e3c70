/** The prompts for programs: a beginning that never changes (for caches), then parts of bounded length. */
import type { Run } from '../../core/agent.ts';
import type { Message } from '../../core/model.ts';
import type { CaseOutcome } from '../../core/program.ts';
import { user } from '../kit/asking.ts';
import { line, opening } from './asking.ts';
import { bestOf, type Island, type Program, programsOf, ranked } from './population.ts';
import { hintsOf, type Search, scaleOf } from './search.ts';
import { insightsText, triedText } from './tried.ts';

const worstShown = 3;
const failuresShown = 5;
const ideasShown = 5;
const otherCharacters = 8_000;

type Request = {
  readonly search: Search;
  readonly run: Run;
  readonly island: Island;
  readonly parent: Program;
  /** Shown whole, as far as there is room for it. */
  readonly other?: Program | null;
  readonly request: string;
  /** False where the request holds the program itself already. */
  readonly showsParent?: boolean;
};

export function framed(request: Request): readonly Message[] {
  const { search, run, island, parent } = request;
  const parts = [
    `The line of search that you work on: ${island.strategy.name}. ${island.strategy.idea}`,
    request.showsParent === false
      ? ''
      : `The program to begin from, ${parent.id}:\n\n${fenced(search, parent.source)}`,
    accountOf(search, parent),
    failuresText(island, parent),
    triedText(search.tried, island.number, search.settings.tabooIdeas),
    insightsText(search.insights),
    search.learned,
    request.other ? otherText(search, request.other) : ideasText(search, island, parent),
    hintsText(search),
    request.request,
  ];
  const content = parts.filter((part) => part !== '').join('\n\n');
  return [...opening(run, search.problem), user(content)];
}

export function fenced({ task }: Search, source: string): string {
  return `\`\`\`${task.language}\n${source.trimEnd()}\n\`\`\``;
}

/** How a program does: on groups of like cases, and on its worst ones, as shares of the best known. */
function accountOf(search: Search, program: Program): string {
  const { outcomes, id } = program;
  const { points, settings, task } = search;
  if (outcomes.length === 0) return '';
  const shareIn = (outcome: Program['outcomes'][number]) => points.share(outcome, settings);
  const better = task.direction === 'maximise' ? 'more' : 'less';
  const groups = groupsOf(outcomes, shareIn).map(
    ({ name, cases, share }) => `- ${name}: ${percent(share)} (${cases} cases)`,
  );
  const worst = outcomes.toSorted((a, b) => shareIn(a) - shareIn(b)).slice(0, worstShown);
  const lines = worst.map((outcome) => `- ${caseText(outcome)}: ${percent(shareIn(outcome))}`);
  const slowest = Math.max(...outcomes.map(({ cpuMs }) => cpuMs));
  const limit = task.timeLimitMs === null ? '' : ` of ${task.timeLimitMs} ms`;
  return [
    `How ${id} does, as shares of the best score that is known of each case (${better} is better): ${percent(shareOf(search, program))} on ${outcomes.length} cases; the slowest took ${Math.round(slowest)} ms${limit}.`,
    ...(groups.length > 0 ? ['By groups of cases:', ...groups] : []),
    'Its worst cases:',
    ...lines,
  ].join('\n');
}

function caseText({ name, score, features, verdict }: Program['outcomes'][number]): string {
  const numbers = Object.entries(features)
    .slice(0, 6)
    .map(([key, value]) => `${key} ${value}`);
  return [name, ...(numbers.length > 0 ? [`(${numbers.join(', ')})`] : []), score ?? verdict].join(' ');
}

/** Failures of this program's children first; each summary once. */
function failuresText({ failures }: Island, parent: Program): string {
  const latest = failures.toReversed();
  const own = latest.filter(({ program }) => program.parents.includes(parent.id));
  const lines = new Map<string, string>();
  for (const { program, times } of [...own, ...latest]) {
    const said = line(program.summary);
    const often = times > 1 ? `, ${times} times` : '';
    if (!lines.has(said)) lines.set(said, `- ${said}: ${program.status}${often}. ${line(program.detail)}`);
  }
  if (lines.size === 0) return '';
  const shown = [...lines.values()].slice(0, failuresShown).join('\n');
  return `What was tried of late, and came to nothing; do not try it again in the same way:\n${shown}`;
}

function ideasText(search: Search, island: Island, parent: Program): string {
  const others = ranked(programsOf(island), scaleOf(search)).filter(({ id }) => id !== parent.id);
  if (others.length === 0) return '';
  const lines = others
    .slice(0, ideasShown)
    .map((program) => `- ${line(program.summary)} (${percent(shareOf(search, program))})`);
  return `What else there is on this line, with its share:\n${lines.join('\n')}`;
}

function otherText(search: Search, other: Program): string {
  const source = other.source.slice(0, otherCharacters).toWellFormed();
  const rest = source.length < other.source.trimEnd().length ? '\nIt goes on; this is how it begins.' : '';
  return `Another program, ${other.id} (${percent(shareOf(search, other))}): ${line(other.summary)}\n\n${fenced(search, source)}${rest}`;
}

export function hintsText(search: Search): string {
  const hints = hintsOf(search).map(({ text, sources }) => {
    const names = sources.map(({ name }) => name).join(', ');
    return names === '' ? text : `${text} (found: ${names})`;
  });
  if (hints.length === 0) return '';
  return `What the person who watches this search asks for; it goes before the above:\n${hints.map((hint) => `- ${hint}`).join('\n')}`;
}

/** The state of the search, for the adviser. */
export function standingText(search: Search): string {
  const { champion, islands, generations } = search;
  const lines = islands.map((island) => {
    const best = bestOf(island, scaleOf(search));
    const held = best
      ? `${best.id} (${percent(shareOf(search, best))}): ${line(best.summary)}`
      : 'nothing yet';
    return `- ${island.number}. ${island.strategy.name}: ${held}`;
  });
  return [
    `Generation ${generations.current} of ${search.settings.maxGenerations}.`,
    ...(lines.length > 0 ? ['The lines of search, each with its best:', ...lines] : []),
    ...(champion
      ? [`The best program, ${champion.id}:`, fenced(search, champion.source), accountOf(search, champion)]
      : ['There is no program yet.']),
  ].join('\n');
}

function shareOf({ points, settings }: Search, { outcomes }: Program): number {
  return outcomes.reduce((sum, each) => sum + points.share(each, settings), 0) / Math.max(1, outcomes.length);
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

const featuresShown = 2;
const groupsOfFeature = 3;
/** Groups that do alike say nothing. */
const leastSpread = 0.005;

/** How a program does on like cases: groups by the numbers of their inputs, where these tell good from bad. */
export function groupsOf(outcomes: readonly CaseOutcome[], shareOf: (outcome: CaseOutcome) => number) {
  const names = [...new Set(outcomes.flatMap(({ features }) => Object.keys(features)))].sort();
  const found = names
    .map((name) => groupsBy(name, outcomes, shareOf))
    .filter((groups) => spreadOf(groups) >= leastSpread)
    .toSorted((a, b) => spreadOf(b) - spreadOf(a));
  return found.slice(0, featuresShown).flat();
}

/** Thirds of the cases by one number, `N 10–30`, each with the mean share; cases of one value stay together. */
function groupsBy(name: string, outcomes: readonly CaseOutcome[], shareOf: (outcome: CaseOutcome) => number) {
  const known = outcomes
    .flatMap((outcome) => {
      const value = outcome.features[name];
      return value === undefined ? [] : [{ value, share: shareOf(outcome) }];
    })
    .toSorted((a, b) => a.value - b.value);
  const parts = Map.groupBy(known, ({ value }) => {
    const first = known.findIndex((each) => each.value === value);
    return Math.floor((first * groupsOfFeature) / known.length);
  });
  return [...parts.values()].map((part) => {
    const [low, high] = [part[0]?.value ?? 0, part.at(-1)?.value ?? 0];
    const share = part.reduce((sum, each) => sum + each.share, 0) / part.length;
    return { name: `${name} ${low === high ? low : `${low}–${high}`}`, cases: part.length, share };
  });
}

function spreadOf(groups: ReturnType<typeof groupsBy>): number {
  const shares = groups.map(({ share }) => share);
  return shares.length < 2 ? 0 : Math.max(...shares) - Math.min(...shares);
}
