/**
 * The grader alone, on a proof that the user brings: each of k graders lists its findings with the places in the proof's own
 * words, which are looked up in it. Their vote stops when it is decided; a reviewer judges what was found in a proof that it
 * passes.
 */
import { z } from 'zod';
import { defineAgent } from '../../core/define.ts';
import { ContextOverflow, LimitReached } from '../../core/errors.ts';
import { findingNames, note, type ProofNoteData } from '../../notes/proof.ts';
import { Refused, Unusable } from './dialogue.ts';
import type { Judgement, NamedFinding } from './findings.ts';
import { gradeProof, type Report } from './grader.ts';
import { proofGraderPrompts } from './prompts.ts';
import { type Place, placesIn } from './quotes.ts';
import { judgeFindings } from './reviewer.ts';
import { gradingSettings } from './settings.ts';
import { type Ballot, gatherVotes, medianPoints } from './vote.ts';

export const proofGrader = defineAgent({
  name: 'proof-grader',
  settings: z.object(gradingSettings),
  needs: ['candidate'],
  roles: ['grader', 'reviewer'],
  usual: ({ graders }) => ({ turns: graders, outputTokens: 24_000, carriedTokens: 3_000 }),
  prompts: proofGraderPrompts,

  async solve({ spec, candidate }, run, settings) {
    const proof = candidate.text;
    const finished: (Report & Ballot)[] = [];
    try {
      const vote = { name: 'graders', rule: settings, place: { attempt: 1, iteration: null } };
      const tally = await gatherVotes<Report>(run, vote, async (here, onReport, grader) => {
        const report = await gradeProof({ run: here, settings }, { spec, proof }, onReport);
        finished.push({ ...report, grader });
        return report;
      });
      const { pass: isVotedFor, votes, ballots } = tally;
      const found = mergedFindings(proof, ballots);
      const isJudged = isVotedFor && found.length > 0;
      const subject = { spec, text: proof, rebuttal: null };
      const judgements = isJudged ? await judgeFindings({ run, settings }, subject, found) : [];
      const findings = found.map((finding, index) => ({ ...finding, ...answerIn(judgements[index]) }));
      const pass = isVotedFor && judgements.every(({ holds }) => !holds);
      note(run, 'grading', { pass, votes, points: medianPoints(ballots), findings });
      const counted = `${votes.yes} of ${votes.yes + votes.no} graders who voted accepted it`;
      const isDoubtful = pass && ballots.some((report) => !report.pass);
      return {
        end: !pass ? 'rejected' : isDoubtful ? 'doubtful' : 'passed',
        detail: `${describeVerdict(pass, isVotedFor, isDoubtful)}: ${counted}.`,
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

function describeVerdict(pass: boolean, isVotedFor: boolean, isDoubtful: boolean): string {
  if (isDoubtful) return 'The proof passed with doubts, because a reviewer overruled what was found in it';
  if (pass) return 'The proof passed';
  return isVotedFor ? 'The proof did not pass, because a finding holds' : 'The proof did not pass';
}

const answerIn = (judgement: Judgement | undefined) =>
  judgement
    ? { answer: judgement.holds ? ('open' as const) : ('overruled' as const), why: judgement.why }
    : {};

function endOf(error: unknown): 'gave-up' | 'refused' | 'malformed' | null {
  if (error instanceof LimitReached || error instanceof ContextOverflow) return 'gave-up';
  if (error instanceof Refused) return 'refused';
  return error instanceof Unusable ? 'malformed' : null;
}

type GradedFinding = ProofNoteData<'grading'>['findings'][number];

type Placed = GradedFinding & { readonly place: Place | null };

/** In the order of the proof, those without a place last. What several graders found at one place is one finding. */
function mergedFindings(
  proof: string,
  lists: readonly { readonly grader: number; readonly findings: readonly NamedFinding[] }[],
): GradedFinding[] {
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

/** For people, as Markdown. */
function findingsText(findings: readonly GradedFinding[]): string {
  if (findings.length === 0) return 'Nothing was found.';
  return findings
    .map(({ kind, quote, lines, explanation }, index) => {
      const [first, last] = [lines?.first, lines?.last];
      const span = first === last ? `line ${first}` : `lines ${first}–${last}`;
      const where = lines ? span : 'its words are not in the proof';
      const quoted = `   > ${quote.trim().replaceAll('\n', '\n   > ')}`;
      return `${index + 1}. **${findingNames[kind]}** (${where})\n\n${quoted}\n\n   ${explanation.trim().replaceAll('\n', '\n   ')}`;
    })
    .join('\n\n');
}
