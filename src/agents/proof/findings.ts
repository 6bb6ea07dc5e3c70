/**
 * What graders found, each finding with the text that it is about, until it is answered: by a text that was changed, or by
 * a reviewer's judgement. A text with an open finding does not pass.
 */
import type { Run } from '../../core/agent.ts';
import { type FindingAnswer, findingNames, note, type ProofNoteData } from '../../notes/proof.ts';
import { placesIn } from './quotes.ts';

export type Finding = ProofNoteData<'finding'>;

/** As a grader names it. */
export type NamedFinding = Pick<Finding, 'kind' | 'quote' | 'explanation'>;

/** `grader`: null for the question what the text leaves open. `against`: its grader did not pass the proof. */
export type FoundFinding = NamedFinding & { readonly grader: number | null; readonly against: boolean };

export type Entry = {
  readonly finding: Finding;
  readonly text: string;
  /** The text on which a reviewer last judged it. */
  readonly judged: { readonly text: string; readonly why: string } | null;
  readonly answer: FindingAnswer;
};

export type Judgement = { readonly holds: boolean; readonly why: string };

type Here = {
  readonly run: Run;
  readonly place: { readonly attempt: number; readonly iteration: number | null };
};

export function isSameText(one: string, other: string): boolean {
  return one.replaceAll(/\s+/g, ' ').trim() === other.replaceAll(/\s+/g, ' ').trim();
}

/** Those of all attempts of a run. An open one holds for its own text, and for each later text of its attempt. */
export class Findings {
  readonly #entries = new Map<number, Entry>();

  add({ run, place }: Here, text: string, found: readonly FoundFinding[]): void {
    const placeOf = placesIn(text);
    for (const { grader, against, kind, quote, explanation } of found) {
      const lines = placeOf(quote)?.lines ?? null;
      const graders = grader === null ? [] : [grader];
      const id = this.#entries.size + 1;
      const finding = { ...place, id, against, kind, quote, lines, explanation, graders };
      this.#entries.set(id, { finding, text, judged: null, answer: 'open' });
      note(run, 'finding', finding);
    }
  }

  /** What does not hold is `mended` by another text, and `overruled` on its own. */
  judge({ run, place }: Here, text: string, entry: Entry, { holds, why }: Judgement): void {
    const answer = holds ? 'open' : isSameText(entry.text, text) ? 'overruled' : 'mended';
    const { id } = entry.finding;
    this.#entries.set(id, { ...entry, judged: { text, why }, answer });
    note(run, 'finding-answer', { ...place, id, answer, why });
  }

  /** Also what was mended since, if the text is again the one that it was found in. */
  openOn(text: string, attempt: number): readonly Entry[] {
    return [...this.#entries.values()].filter((entry) => {
      if (isSameText(entry.text, text)) return entry.answer !== 'overruled';
      return entry.answer === 'open' && entry.finding.attempt === attempt;
    });
  }

  mendedIn(attempt: number): number {
    const entries = [...this.#entries.values()];
    return entries.filter(({ finding, answer }) => finding.attempt === attempt && answer === 'mended').length;
  }

  /** Of an attempt: what no change of the text has answered, but at most a reviewer. */
  doubtsOf(attempt: number): readonly Entry[] {
    return [...this.#entries.values()].filter(
      ({ finding, answer }) => finding.attempt === attempt && finding.against && answer !== 'mended',
    );
  }
}

/** Numbered, as Markdown. */
export function formatFindings(findings: readonly (NamedFinding & { readonly reply?: string })[]): string {
  return findings
    .map(({ kind, quote, explanation, reply = '' }, index) => {
      const location = quote.trim() === '' ? '' : ` “${quote.trim()}”`;
      const answer = reply === '' ? '' : ` A reviewer adds: ${reply.trim()}`;
      return `${index + 1}. **${findingNames[kind]}.**${location} ${explanation.trim()}${answer}`;
    })
    .join('\n\n');
}

/** For the solver and for people. */
export function formatEntries(entries: readonly Entry[]): string {
  return formatFindings(entries.map(({ finding, judged }) => ({ ...finding, reply: judged?.why ?? '' })));
}
