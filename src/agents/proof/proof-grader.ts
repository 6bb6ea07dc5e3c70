/**
 * The grader alone, on a proof that the user brings: each of k graders writes its report, then lists its findings with
 * the places in the proof's own words, which are looked up in it. Their vote stops when it is decided. Models change what
 * does not count in a quotation (spaces, emphasis, quotation marks) and leave out its middle; all else must be there.
 */
import { z } from 'zod';
import { defineAgent } from '../../core/define.ts';
import { LimitReached } from '../../core/errors.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { note, type ProofNoteData } from '../../notes/proof.ts';
import { assistant, user } from '../kit/asking.ts';
import {
  type GradingSettings,
  gradingBefore,
  gradingSettings,
  gradingTurns,
  partsField,
  rubricOf,
  scaleFor,
  summed,
} from './grader.ts';
import { proofGraderPrompts } from './prompts.ts';
import { type Form, formed, formOf, Refused, spoken, type Talk, Unusable } from './talk.ts';
import { type Ballot, medianPoints, voted } from './vote.ts';
import words from './words.json' with { type: 'json' };

const settingsSchema = z.object(gradingSettings);

export const proofGrader = defineAgent({
  name: 'proof-grader',
  settings: settingsSchema,
  absentMeans: gradingBefore,
  needs: ['candidate'],
  roles: ['grader'],
  // A report and a list each; that there are so few makes them no shorter.
  usual: ({ graders }) => ({ turns: 2 * graders, outputTokens: 12_000, carriedTokens: 3_000 }),
  prompts: proofGraderPrompts,

  async solve({ spec, candidate }, run, settings) {
    const proof = candidate.text;
    const finished: (Listing & Ballot)[] = [];
    try {
      const vote = { name: 'graders', rule: settings, place: { attempt: 1, iteration: null } };
      const { pass, votes } = await voted(run, vote, async (here, hear, grader) => {
        const listing = await listed({ run: here, settings }, { spec, proof }, hear);
        finished.push({ ...listing, grader });
        return listing;
      });
      const findings = mergedFindings(proof, finished);
      note(run, 'grading', { pass, votes, points: medianPoints(finished), findings });
      const verdict = pass ? 'The proof passed' : 'The proof did not pass';
      const detail = `${verdict}: ${votes.yes} of ${votes.yes + votes.no} graders who voted accepted it.`;
      const end = !isStrict(settings) ? 'answered' : pass ? 'passed' : 'rejected';
      return { end, detail, answer: { type: 'text', text: findingsText(findings) } };
    } catch (error) {
      const end = endOf(error);
      if (end === null || !(error instanceof Error)) throw error;
      // What was found is handed in; no verdict is.
      const text = findingsText(mergedFindings(proof, finished));
      const detail = `${error.message} ${finished.length} of ${settings.graders} graders had finished, and nothing was decided.`;
      return { end, detail, answer: finished.length === 0 ? undefined : { type: 'text', text } };
    }
  },
});

const isStrict = ({ judging }: GradingSettings): boolean => judging === 'strict';

function endOf(error: unknown): 'gave-up' | 'refused' | 'malformed' | null {
  if (error instanceof LimitReached) return 'gave-up';
  if (error instanceof Refused) return 'refused';
  return error instanceof Unusable ? 'malformed' : null;
}

type Finding = ProofNoteData<'grading'>['findings'][number];

/** As a grader names it. */
type NamedFinding = Pick<Finding, 'kind' | 'quote' | 'explanation'>;

type Placed = Finding & { readonly place: Place | null };

/** In the order of the proof, those without a place last. What several graders found at one place is one finding. */
function mergedFindings(
  proof: string,
  lists: readonly { readonly grader: number; readonly findings: readonly NamedFinding[] }[],
): Finding[] {
  const placeOf = placesIn(proof);
  const merged: Placed[] = [];
  for (const { grader, findings } of lists.toSorted((a, b) => a.grader - b.grader)) {
    for (const named of findings) {
      const place = placeOf(named.quote);
      const same = merged.findIndex((known) => isSame(known, named, place));
      const known = merged[same];
      if (known) merged[same] = { ...known, graders: [...new Set([...known.graders, grader])] };
      else merged.push({ ...named, place, lines: place?.lines ?? null, graders: [grader] });
    }
  }
  const startOf = ({ place }: Placed): number => place?.start ?? Number.POSITIVE_INFINITY;
  return merged.toSorted((a, b) => startOf(a) - startOf(b)).map(({ place: _, ...finding }) => finding);
}

/** Of one kind, and one place lies within the other. */
function isSame(known: Placed, { kind, quote }: NamedFinding, place: Place | null): boolean {
  if (known.kind !== kind) return false;
  if (!known.place || !place) return !known.place && !place && known.quote === quote;
  const [a, b] = [known.place, place];
  return (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end);
}

const kindNames: Readonly<Record<Finding['kind'], string>> = {
  'critical-error': 'Critical error',
  'justification-gap': 'Justification gap',
  'proves-less': 'Proves less than was asked',
};

/** For people, as Markdown. */
function findingsText(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Nothing was found.';
  return findings
    .map(({ kind, quote, lines, explanation }, index) => {
      const [first, last] = [lines?.first, lines?.last];
      const span = first === last ? `line ${first}` : `lines ${first}–${last}`;
      const where = lines ? span : 'its words are not in the proof';
      const quoted = `   > ${quote.trim().replaceAll('\n', '\n   > ')}`;
      return `${index + 1}. **${kindNames[kind]}** (${where})\n\n${quoted}\n\n   ${explanation.trim().replaceAll('\n', '\n   ')}`;
    })
    .join('\n\n');
}

type Listing = {
  readonly pass: boolean;
  readonly points: number | null;
  readonly report: string;
  readonly findings: readonly NamedFinding[];
  readonly parts?: ProofNoteData<'report'>['parts'];
};

type List = { findings: NamedFinding[]; accepts?: boolean; points?: number; parts?: Listing['parts'] };

function formFor({ judging, grading }: GradingSettings, spec: ProblemSpec): Form<List> {
  const isStrict = judging === 'strict';
  const kinds = [
    'critical-error',
    'justification-gap',
    ...(isStrict ? (['proves-less'] as const) : []),
  ] as const;
  const finding = z.strictObject({ kind: z.enum(kinds), quote: z.string(), explanation: z.string() });
  const findings = z.array(finding);
  if (grading === 'verdict') return formOf('findings', z.strictObject({ findings, accepts: z.boolean() }));
  const points = z.number().int().min(0).max(7);
  if (!isStrict || rubricOf(spec) === null) return formOf('findings', z.strictObject({ findings, points }));
  return formOf('findings', z.strictObject({ findings, ...partsField, points }));
}

/**
 * One grader's report as a list: its findings, with places that the proof really has, and its vote. A list that quotes
 * words which are not there, or that contradicts itself, is asked for once more. `onReport` hears the report before
 * there is a list of it: a grader may be called off in between.
 */
async function listed(
  talk: Talk & { readonly settings: GradingSettings },
  { spec, proof }: { spec: ProblemSpec; proof: string },
  onReport: (report: string) => void,
): Promise<Listing> {
  const { run, settings } = talk;
  const form = formFor(settings, spec);
  const turns = gradingTurns(talk, spec, { proof, rebuttal: null }, isStrict(settings));
  const report = await spoken(talk, 'grader', turns, { wholly: true });
  onReport(report);
  const asked = [...turns, assistant(report), user(listingPrompt(talk, spec))];
  const first = await formed(talk, 'grader', asked, form);
  const faults = faultsOf(first, proof, settings);
  if (first && faults.length === 0) return listingOf(first, report, settings);
  const shown = first ? [assistant(JSON.stringify(first))] : [];
  const again = user(run.prompt('listAgain', { faults: faults.map((fault) => `- ${fault}`).join('\n') }));
  const list = (await formed(talk, 'grader', [...asked, ...shown, again], form)) ?? first;
  if (!list) throw new Unusable('grader', 'there is no list of findings in them.');
  return listingOf(list, report, settings);
}

function listingPrompt(talk: Talk & { settings: GradingSettings }, spec: ProblemSpec): string {
  const { run, settings } = talk;
  const [list, verdict] = isStrict(settings) ? ['strictList', 'strictListVerdict'] : ['list', 'listVerdict'];
  if (settings.grading === 'verdict') return run.prompt(list, { verdict: run.prompt(verdict) });
  return run.prompt(list, { verdict: run.prompt('listPoints', { scale: scaleFor(talk, spec) }) });
}

/** In words for the grader. */
function faultsOf(list: List | null, proof: string, settings: GradingSettings): string[] {
  if (!list) return ['Your reply was no list of the form that was asked for.'];
  const placeOf = placesIn(proof);
  const unknown = list.findings.filter(({ quote }) => placeOf(quote) === null);
  const why = (quote: string) => (isStrict(settings) ? ` (${whyNowhere(proof, quote)})` : '');
  const faults = unknown.map(
    ({ quote }) => `These words do not stand in the solution: “${quote}”${why(quote)}`,
  );
  if (isAccepting(list, settings) && hasError(list))
    faults.push(
      'You accept a solution in which you found a critical error, or which proves less than was asked.',
    );
  if (list.accepts === false && list.findings.length === 0)
    faults.push('You do not accept the solution, and list nothing that is wrong with it.');
  return faults;
}

function listingOf(read: List, report: string, settings: GradingSettings): Listing {
  const list = summed(read);
  const { findings, parts, points = null } = list;
  // A proof with a critical error, or that proves less, does not pass, even where its grader says so.
  return { pass: isAccepting(list, settings) && !hasError(list), points, report, findings, parts };
}

function isAccepting({ accepts, points }: List, { passPoints }: GradingSettings): boolean {
  return points === undefined ? accepts === true : points >= passPoints;
}

function hasError({ findings }: List): boolean {
  return findings.some(({ kind }) => kind !== 'justification-gap');
}

type Place = {
  /** Lines from 1 on, both included. */
  readonly lines: { readonly first: number; readonly last: number };
  /** Of its first character. */
  readonly start: number;
  /** Behind its last one. */
  readonly end: number;
};

/** Shorter ones occur anywhere. */
const shortest = 3;

/** Reads the text once, for any number of quotes. Null where it has no such words. */
export function placesIn(text: string): (quote: string) => Place | null {
  const readings = [essence(text), essence(text, alsoLoosely)] as const;
  const lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (quote) => {
    for (const [index, whole] of readings.entries()) {
      const how = index === 0 ? [] : alsoLoosely;
      const words = trimmed(essence(quote, how).words, index > 0);
      const span = exactly(whole, words) ?? inPieces(whole, piecesOf(quote, how));
      if (span) return placeOf(span, whole, lines);
    }
    return null;
  };
}

/** For the grader: how far the words stand there, and what stands there instead. */
export function whyNowhere(text: string, quote: string): string {
  if (/[\f\v\b\r\t]/.test(quote)) return 'a backslash was lost: in JSON it is written twice';
  const whole = essence(text, alsoLoosely);
  const { words } = essence(quote.slice(0, 500), alsoLoosely);
  let length = words.length;
  while (length >= shortest && !whole.words.includes(words.slice(0, length))) length -= 1;
  if (length < shortest) return 'not even their beginning does';
  const end = whole.at[whole.words.indexOf(words.slice(0, length)) + length] ?? text.length;
  return `behind “${text.slice(Math.max(0, end - 24), end)}” there stands “${text.slice(end, end + 40)}”`;
}

/** A full stop of the sentence that quotes, and quotation marks around it all. */
function trimmed(words: string, isLoose: boolean): string {
  return isLoose ? words.replaceAll(/^["']{1,9}|["'.,;:!?…]{1,9}$/g, '') : words;
}

function piecesOf(quote: string, how: readonly Alike[]): string[] {
  const pieces = quote.split(/\[?(?:\.{3,}|…|\\l?dots)\]?/);
  const found = pieces.map((piece) => trimmed(essence(piece, how).words, how.length > 0));
  return found.filter((words) => words !== '');
}

/** `at`: where each of its characters stands in the text. */
type Essence = { readonly words: string; readonly at: readonly number[] };

const dropped = /\\[()[\]]|[\s*`$\ufeff]|\u200b|\u200c|\u200d/y;
const alike: Readonly<Record<string, string>> = words.signs;

/** What is written in other ways and reads the same; tried only where the words themselves are not found. */
type Alike = readonly [RegExp, string];
const alsoLoosely = words.alike.map(([source = '', sign = '']): Alike => [new RegExp(source, 'y'), sign]);

function essence(text: string, how: readonly Alike[] = []): Essence {
  const words: string[] = [];
  const at: number[] = [];
  const put = (characters: string, index: number) => {
    words.push(characters);
    for (const _ of characters) at.push(index);
  };
  const matchAt = (pattern: RegExp, index: number) => {
    pattern.lastIndex = index;
    return pattern.exec(text)?.[0].length ?? 0;
  };
  for (let index = 0; index < text.length; ) {
    const drop = matchAt(dropped, index);
    const loose = drop > 0 ? undefined : how.find(([pattern]) => matchAt(pattern, index) > 0);
    if (loose) put(loose[1], index);
    else if (drop === 0) put(alike[text[index] ?? ''] ?? text[index] ?? '', index);
    index += Math.max(1, drop, loose ? matchAt(loose[0], index) : 0);
  }
  return { words: words.join(''), at };
}

/** Of the essence: from the first character to behind the last. */
type Span = { readonly from: number; readonly until: number };

function exactly({ words }: Essence, quoted: string): Span | null {
  if (quoted.length < shortest) return null;
  const from = words.indexOf(quoted);
  return from < 0 ? null : { from, until: from + quoted.length };
}

/** The first piece, and the others behind it in their order. */
function inPieces({ words }: Essence, pieces: readonly string[]): Span | null {
  if (pieces.length < 1 || pieces.some((piece) => piece.length < shortest)) return null;
  let from = -1;
  let until = 0;
  for (const piece of pieces) {
    const found = words.indexOf(piece, until);
    if (found < 0) return null;
    if (from < 0) from = found;
    until = found + piece.length;
  }
  return { from, until };
}

function placeOf({ from, until }: Span, { at }: Essence, starts: readonly number[]): Place {
  const start = at[from] ?? 0;
  const end = (at[until - 1] ?? start) + 1;
  const lineOf = (index: number): number => starts.filter((each) => each <= index).length;
  return { lines: { first: lineOf(start), last: lineOf(end - 1) }, start, end };
}
