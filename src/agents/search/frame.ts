/** The prompts for programs: a beginning that never changes (for caches), then parts of bounded length. */
import type { Run } from '../../core/agent.ts';
import type { Message } from '../../core/model.ts';
import { user } from '../kit/asking.ts';
import { accountIn, comparison, worthOf } from './account.ts';
import { clause, firstMessages, line } from './asking.ts';
import { bestOf, type Island, type Program, programsOf, rankPrograms } from './population.ts';
import { type Hint, hintsOf, type Search, scaleOf } from './search.ts';
import { diffLines, plainSource, sourcePrefix } from './shown-source.ts';

const failuresShown = 5;
const ideasShown = 3;
const otherCharacters = 8_000;
const [ideaCharacters, detailCharacters] = [160, 120];

type Request = {
  readonly search: Search;
  readonly run: Run;
  readonly island: Island;
  readonly parent: Program;
  /** The candidate that it is for. */
  readonly id: string;
  /** Shown in full if there is room. */
  readonly other?: Program | null;
  /** A hint that the request itself contains, and that is not repeated. */
  readonly hint?: Hint;
  readonly request: string;
  /** False where the request holds the program itself already. */
  readonly showsParent?: boolean;
};

export function frameRequest(request: Request): readonly Message[] {
  const { search, run, island, parent, id } = request;
  const parts = [
    lineOfSearch(search, island),
    request.showsParent === false
      ? ''
      : `The base program, ${parent.id}:\n\n${fenced(search, visibleSource(search, parent))}`,
    accountIn(search, parent),
    failuresText(search, island, parent),
    request.other ? otherText(search, request.other, parent) : formatIdeas(search, island, parent),
    sideText(search, parent, id),
    hintsText(search, request.hint),
    request.request,
  ];
  const content = parts.filter((part) => part !== '').join('\n\n');
  return [...firstMessages(run, search.problem), user(content)];
}

/** By its best program: what it began as may be long left behind. */
function lineOfSearch(search: Search, island: Island): string {
  const { name, idea } = island.strategy;
  const best = bestOf(island, scaleOf(search));
  if (!best || best.generation === 0) return `Your line of search: ${name}. ${idea}`;
  return `Your line of search began as: ${name}. What its best program, ${best.id}, came to: ${line(programIdea(search, best))}`;
}

/** The idea that a program carries out: tuning adds none. */
function programIdea(search: Search, program: Program): string {
  const isTuned = program.operator === 'tune';
  const parent = isTuned ? search.programs.find(({ id }) => id === program.parents[0]) : undefined;
  return parent ? programIdea(search, parent) : program.summary;
}

const places = [
  'the moves or decisions, and how they are drawn',
  'what a step costs',
  'how time is divided: temperatures, restarts, widths',
  'what it begins with',
  'what it takes for good, beside the score',
];

/** Without it, calls that are made side by side are alike byte for byte, and so are their replies. */
function sideText({ underway }: Search, parent: Program, id: string): string {
  const siblings = [...underway].filter(([other, each]) => other !== id && each.parent === parent.id);
  const unknown = siblings.filter(([, { idea }]) => idea === null).length;
  const known = siblings.flatMap(([, { idea }]) => (idea === null ? [] : [`- ${line(idea)}`]));
  const attempted =
    known.length === 0
      ? ''
      : `Being run on this program now, so propose something else:\n${known.join('\n')}`;
  if (unknown === 0) return attempted;
  const many = unknown === 1 ? 'another is' : `${unknown} others are`;
  const question = `At this moment ${many} asked the same. So that not all do the same, yours is about ${places[(unknown - 1) % places.length]}, unless nothing there promises anything.`;
  return [attempted, question].filter(Boolean).join('\n');
}

export function fenced({ task }: Search, source: string): string {
  return `\`\`\`${task.language}\n${source.trimEnd()}\n\`\`\``;
}

/** Its user's comments and a model's say nothing that its lines do not. */
export function visibleSource({ task }: Search, { source }: Pick<Program, 'source'>): string {
  return task.language !== 'cpp' ? source : plainSource(source);
}

/** Failures of this program's children first; each summary once. */
function failuresText(search: Search, { failures }: Island, parent: Program): string {
  const repaired = findRepaired(search, failures);
  const latest = failures.filter(({ program }) => !repaired.has(program.id)).toReversed();
  const own = latest.filter(({ program }) => program.parents.includes(parent.id));
  const lines = new Map<string, string>();
  for (const { program, times } of [...own, ...latest]) {
    const text = line(program.summary);
    const often = times > 1 ? `, ${times} times` : '';
    // A tuning without a gain is no reply that could not be used.
    const isTold = program.operator === 'tune';
    const status = isTold ? '' : `${program.status}${often}. `;
    const detail = clause(program.detail, isTold ? undefined : detailCharacters);
    if (!lines.has(text)) lines.set(text, `- ${text}: ${status}${detail}`);
  }
  if (lines.size === 0) return '';
  const shown = [...lines.values()].slice(0, failuresShown).join('\n');
  return `What was tried of late, and came to nothing; do not try it again in the same way:\n${shown}`;
}

/** What failed and was repaired since, by one repair or by several: its idea came to something. */
function findRepaired({ programs }: Search, failures: Island['failures']): ReadonlySet<string> {
  const failed = new Map(failures.map(({ program }) => [program.id, program]));
  const mended = new Set<string>();
  const trace = ({ operator, parents }: Program): void => {
    const before = operator === 'repair' ? parents[0] : undefined;
    if (before === undefined) return;
    mended.add(before);
    const program = failed.get(before);
    if (program) trace(program);
  };
  programs.forEach(trace);
  return mended;
}

function formatIdeas(search: Search, island: Island, parent: Program): string {
  const siblings = rankPrograms(programsOf(island), scaleOf(search)).filter(({ id }) => id !== parent.id);
  if (siblings.length === 0) return '';
  const lines = siblings
    .slice(0, ideasShown)
    .map((each) => `- ${clause(each.summary, ideaCharacters)} (${comparison(search, each, parent, '')})`);
  const head = `What else there is on this line, against ${parent.id}:`;
  return [head, ...lines].join('\n');
}

function otherText(search: Search, other: Program, parent: Program): string {
  const head = `For ideas, not to be changed: program ${other.id} (${worthOf(other)}): ${line(other.summary)}`;
  const text = visibleSource(search, other);
  const apart = diffLines(visibleSource(search, parent), text);
  if (apart !== null) {
    return `${head}\n\nIt is ${parent.id} but for these lines (- in ${parent.id}, + in ${other.id}; … for lines that both have):\n\n\`\`\`diff\n${apart}\n\`\`\``;
  }
  const source = sourcePrefix(text, otherCharacters).toWellFormed();
  const rest = source.length < text.trimEnd().length ? '\nIt goes on; this is how it begins.' : '';
  return `${head}\n\n${fenced(search, source)}${rest}`;
}

/** `except`: a hint that the request tells in its own words already. */
export function hintsText(search: Search, except?: Hint): string {
  const hints = hintsOf(search)
    .filter((hint) => hint !== except)
    .map(({ text, sources }) => {
      const names = sources.map(({ name }) => name).join(', ');
      return names === '' ? text : `${text} (found: ${names})`;
    });
  if (hints.length === 0) return '';
  return `What the person who watches this search asks for; it goes before the above:\n${hints.map((hint) => `- ${hint}`).join('\n')}`;
}

/** The state of the search, for the adviser. */
export function formatRanking(search: Search): string {
  const { champion, islands, generations } = search;
  const lines = islands.map((island) => {
    const best = bestOf(island, scaleOf(search));
    const claim = best ? `${best.id} (${worthOf(best)}): ${line(best.summary)}` : 'nothing yet';
    return `- ${island.number}. ${island.strategy.name}: ${claim}`;
  });
  return [
    `Generation ${generations.current} of ${search.settings.maxGenerations}.`,
    ...(lines.length > 0 ? ['The lines of search, each with its best:', ...lines] : []),
    ...(champion
      ? [
          `The best program, ${champion.id}:`,
          fenced(search, visibleSource(search, champion)),
          accountIn(search, champion),
        ]
      : ['There is no program yet.']),
  ].join('\n');
}
