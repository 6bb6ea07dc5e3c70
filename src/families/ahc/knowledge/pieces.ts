/** Changes of a session that made a program better than all it was made from, the largest first, each with its new lines. Pure. */
import { candidateOf, type SessionCandidate, type SessionState } from '../session/fold.ts';
import type { SessionFacts } from '../session/session-facts.ts';
import type { KnownPiece } from './known.ts';

const mostPieces = 20;
const [linesKept, charactersKept] = [40, 4_000];

type Gain = {
  readonly note: SessionCandidate['note'];
  readonly sources: readonly string[];
  readonly before: number;
  readonly after: number;
};

export function piecesOf(state: SessionState, facts: SessionFacts): readonly KnownPiece[] {
  return gainsOf(state, facts)
    .toSorted((a, b) => worthOf(b) - worthOf(a))
    .slice(0, mostPieces)
    .map(({ note: { id, operator, summary, source }, sources, before, after }) => {
      const code = newLines(source, sources.join('\n'));
      return { id: `${facts.id}/${id}`, operator, summary, before, after, code };
    });
}

/**
 * From 0 to 1: how far apart two scores are for their size. What came from nothing at all is no wonder for ever: a template
 * that scores 0 or 1 is beaten by everything.
 */
export function worthOf({ before, after }: Pick<KnownPiece, 'before' | 'after'>): number {
  const size = Math.abs(before) + Math.abs(after);
  return size === 0 ? 0 : Math.abs(after - before) / size;
}

/** Against each parent: two programs that are joined are as good as the better one. */
function gainsOf(state: SessionState, { direction, scoring }: SessionFacts): readonly Gain[] {
  const way = direction === 'maximise' || scoring === 'relative' ? 1 : -1;
  return state.candidates.flatMap(({ note }): Gain[] => {
    const { score: after, parents } = note;
    const known = parents.flatMap((parent) => candidateOf(state, parent)?.note ?? []);
    const scores = known.flatMap(({ score }) => score ?? []);
    if (after === null || scores.length === 0 || scores.length < parents.length) return [];
    const before = way * Math.max(...scores.map((each) => way * each));
    const sources = known.map(({ source }) => source);
    return way * (after - before) > 0 ? [{ note, sources, before, after }] : [];
  });
}

function newLines(source: string, before: string): string {
  const known = new Set(before.split('\n').map((line) => line.trim()));
  const lines = source.split('\n').filter((line) => line.trim() !== '' && !known.has(line.trim()));
  const rest = lines.length - linesKept;
  const kept = lines.slice(0, linesKept).join('\n');
  // A table in one line may be as long as it likes.
  const text = kept.length > charactersKept ? `${kept.slice(0, charactersKept).toWellFormed()}…` : kept;
  return rest > 0 ? `${text}\n// … and ${rest} more lines` : text;
}
