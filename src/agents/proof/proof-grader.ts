/**
 * The grader alone, on a proof that the user brings: each of k graders writes its report, then lists its findings with
 * the places in the proof's own words, which are looked up in it. Their vote stops when it is decided.
 */
import { z } from 'zod';
import { defineAgent } from '../../core/define.ts';
import { ContextOverflow, LimitReached } from '../../core/errors.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { note, type ProofNoteData } from '../../notes/proof.ts';
import { list, text } from '../../text/json.ts';
import { jsonInReply } from '../../text/model-json.ts';
import { assistant, user } from '../kit/asking.ts';
import { claimIn } from './confession.ts';
import {
  type GradingSettings,
  gradingSettings,
  gradingTurns,
  leftOpenIn,
  partsField,
  rubricOf,
  scaleFor,
  summed,
  verdictIn,
} from './grader.ts';
import { proofGraderPrompts } from './prompts.ts';
import { type Place, placesIn, whyNowhere } from './quotes.ts';
import { type Form, formed, formOf, Refused, spoken, type Talk, Unusable } from './talk.ts';
import { type Ballot, medianPoints, voted } from './vote.ts';

const settingsSchema = z.object(gradingSettings);

export const proofGrader = defineAgent({
  name: 'proof-grader',
  settings: settingsSchema,
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
      return {
        end: pass ? 'passed' : 'rejected',
        detail,
        answer: { type: 'text', text: findingsText(findings) },
      };
    } catch (error) {
      const end = endOf(error);
      if (end === null || !(error instanceof Error)) throw error;
      // What was found is handed in; no verdict is.
      const text = findingsText(mergedFindings(proof, finished));
      const detail = `${error.message} ${finished.length} of ${settings.graders} graders had finished, and nothing was decided.`;
      const limit = error instanceof ContextOverflow ? 'context' : undefined;
      return { end, limit, detail, answer: finished.length === 0 ? undefined : { type: 'text', text } };
    }
  },
});

const isStrict = ({ judging }: GradingSettings): boolean => judging === 'strict';

function endOf(error: unknown): 'gave-up' | 'refused' | 'malformed' | null {
  if (error instanceof LimitReached || error instanceof ContextOverflow) return 'gave-up';
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

/** Whether both findings have one kind, and the place of one contains the other. */
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
  const report = await spoken(talk, 'grader', turns);
  onReport(report);
  const asked = [...turns, assistant(report), user(listingPrompt(talk, spec))];
  const isOfVerdict = settings.grading === 'verdict';
  let flaw = noList;
  const read = (text: string, object: Json = jsonInReply(text) ?? null): List | null => {
    const { data, error } = form.schema.safeParse(isOfVerdict ? withVerdict(object, report) : object);
    flaw = error ? flawOf(object, error) : flaw;
    return data ?? null;
  };
  const first = await formed(talk, 'grader', asked, form, read);
  const faults = first ? faultsOf(first, proof, settings) : [flaw];
  const isAsked = isStrict(settings) && first && !hasError(first);
  const isUnclear = saysOf.test(report) && leftOpenIn(report, proof) === null;
  if (isAsked && isAccepting(first, settings) && isUnclear) faults.push(unclear);
  if (first && faults.length === 0) return listingOf(first, { report, proof, settings });
  const shown = first ? [assistant(JSON.stringify(first))] : [];
  const again = user(run.prompt('listAgain', { faults: faults.map((fault) => `- ${fault}`).join('\n') }));
  const list = (await formed(talk, 'grader', [...asked, ...shown, again], form, read)) ?? first;
  if (!list) throw new Unusable(flaw);
  return listingOf(list, { report, proof, settings });
}

const noList = 'The grader sent no list of findings that can be read.';

/** A list that lacks `accepts` has its own verdict, else that of the report; one with an error accepts nothing. */
function withVerdict(object: Json, report: string): Json {
  if (!isJsonObject(object) || object.accepts !== undefined) return object;
  const isOfError = list(object, 'findings').some((each) => text(each, 'kind') === 'critical-error');
  const verdict = verdictIn(JSON.stringify(object)) ?? verdictIn(report) ?? (isOfError ? 'error' : null);
  return verdict === null ? object : { findings: object.findings ?? null, accepts: verdict === 'complete' };
}

/** Names the first field that is missing or of another form. */
function flawOf(object: Json, { issues }: z.ZodError): string {
  const path = issues[0]?.path ?? [];
  if (!isJsonObject(object) || path.length === 0) return noList;
  const [name, ...inside] = path.map(String);
  const isMissing = inside.length === 0 && object[name ?? ''] === undefined;
  const how = isMissing ? 'is missing' : 'does not have the form that was asked for';
  return `The grader’s list cannot be used: its field “${path.join('.')}” ${how}.`;
}

function listingPrompt(talk: Talk & { settings: GradingSettings }, spec: ProblemSpec): string {
  const { run, settings } = talk;
  const [list, verdict] = isStrict(settings) ? ['strictList', 'strictListVerdict'] : ['list', 'listVerdict'];
  if (settings.grading === 'verdict') return run.prompt(list, { verdict: run.prompt(verdict) });
  return run.prompt(list, { verdict: run.prompt('listPoints', { scale: scaleFor(talk, spec) }) });
}

const saysOf = /left[ _-]?open|verdict\W{1,9}complete/i;
const unclear =
  'Your report does not say plainly that nothing is left open. Does the solution itself leave open what it had to prove? List each such place as proves-less; if there is none, send the list as it is.';

/** In words for the grader. */
function faultsOf(list: List, proof: string, settings: GradingSettings): string[] {
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

type Listed = { readonly report: string; readonly proof: string; readonly settings: GradingSettings };

function listingOf(read: List, { report, proof, settings }: Listed): Listing {
  const list = withOpen(summed(read), { report, proof, settings });
  const { findings, parts, points = null } = list;
  const isPartial = claimIn(proof).says === 'partial';
  // A proof with a critical error, or that proves less, does not pass, even where its grader says so.
  const pass = isAccepting(list, settings) && !hasError(list) && !isPartial;
  return { pass, points, report, findings, parts };
}

/** What the report quotes as left open is a finding, also where the list forgets it. */
function withOpen(list: List, { report, proof, settings }: Listed): List {
  const open = isStrict(settings) ? leftOpenIn(report, proof) : null;
  if (open === null || open === 'none' || hasError(list)) return list;
  const explanation = 'The solution itself leaves this open.';
  const added = open.map((quote): NamedFinding => ({ kind: 'proves-less', quote, explanation }));
  return { ...list, findings: [...list.findings, ...added] };
}

function isAccepting({ accepts, points }: List, { passPoints }: GradingSettings): boolean {
  return points === undefined ? accepts === true : points >= passPoints;
}

function hasError({ findings }: List): boolean {
  return findings.some(({ kind }) => kind !== 'justification-gap');
}
