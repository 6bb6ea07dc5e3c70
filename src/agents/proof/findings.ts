/**
 * What graders find in a proof, as a list: each finding of one of two kinds, with the place that it speaks of. Brings the
 * lists of several graders together. Pure; knows no model.
 */
import { z } from 'zod';
import type { ProofNoteData } from '../../notes/proof.ts';
import { type Place, placesIn } from './quotes.ts';

export type Finding = ProofNoteData<'grading'>['findings'][number];

export const namedFindings = z.array(
  z.strictObject({
    kind: z.enum(['critical-error', 'justification-gap']),
    quote: z.string(),
    explanation: z.string(),
  }),
);

/** As a grader names it. */
export type NamedFinding = z.infer<typeof namedFindings>[number];

/** Those whose words the proof does not have. */
export function withoutPlace(proof: string, findings: readonly NamedFinding[]): readonly NamedFinding[] {
  const placeOf = placesIn(proof);
  return findings.filter(({ quote }) => placeOf(quote) === null);
}

type Placed = Finding & { readonly place: Place | null };

/** In the order of the proof, those without a place last. What several graders found at one place is one finding. */
export function mergedFindings(
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
  return merged.toSorted((a, b) => startOf(a) - startOf(b)).map(({ place: _, ...finding }) => finding);
}

/** Of one kind, and one place lies within the other. */
function isSame(known: Placed, { kind, quote }: NamedFinding, place: Place | null): boolean {
  if (known.kind !== kind) return false;
  if (!known.place || !place) return !known.place && !place && known.quote === quote;
  const [a, b] = [known.place, place];
  return (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end);
}

function startOf({ place }: Placed): number {
  return place?.start ?? Number.POSITIVE_INFINITY;
}

const kindNames: Readonly<Record<Finding['kind'], string>> = {
  'critical-error': 'Critical error',
  'justification-gap': 'Justification gap',
};

/** For people, as Markdown. */
export function findingsText(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Nothing was found.';
  return findings
    .map(({ kind, quote, lines, explanation }, index) => {
      const where = lines ? lineText(lines) : 'its words are not in the proof';
      return `${index + 1}. **${kindNames[kind]}** (${where})\n\n${quoted(quote)}\n\n   ${explanation.trim().replaceAll('\n', '\n   ')}`;
    })
    .join('\n\n');
}

function lineText({ first, last }: NonNullable<Finding['lines']>): string {
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}

function quoted(quote: string): string {
  return quote
    .trim()
    .split('\n')
    .map((line) => `   > ${line}`)
    .join('\n');
}
