/** Parents and children, as data, for Graphviz, and as a picture: a column a generation, a colour an island. Pure. */

import type { CandidateNote } from '../../../notes/evolution.ts';
import type { SessionState } from './fold.ts';
import { type Scoring, scoreName } from './names.ts';

export function lineageDocument({ candidates, migrations, bestId }: SessionState, scoring: Scoring) {
  return {
    best: bestId,
    nodes: candidates.map(({ note }) => ({
      id: note.id,
      generation: note.generation,
      island: note.island,
      operator: note.operator,
      status: note.status,
      score: scoreName(note, scoring),
    })),
    edges: candidates.flatMap(({ note }) =>
      note.parents.map((parent) => ({ from: parent, to: note.id, operator: note.operator })),
    ),
    migrations,
  };
}

export function lineageDot(state: SessionState, scoring: Scoring): string {
  const nodes = state.candidates.map(({ note }) => {
    const style = note.id === state.bestId ? 'filled,bold' : 'filled';
    const label = `${note.id}\\n${scoreName(note, scoring)}`;
    return `  ${note.id} [label="${label}", style="${style}", fillcolor="${colourOf(note.island)}"];`;
  });
  const edges = state.candidates.flatMap(({ note }) =>
    note.parents.map((parent) => `  ${parent} -> ${note.id} [label="${note.operator}"];`),
  );
  return [
    'digraph lineage {',
    '  rankdir=LR;',
    '  node [shape=box, fontname="sans-serif"];',
    ...nodes,
    ...edges,
    '}',
    '',
  ].join('\n');
}

const columnWidth = 130;
const rowHeight = 26;
const margin = 40;

/** `scoreOf`: the label of a candidate. Default: the score in the name of its file. */
export function lineageSvg(
  state: SessionState,
  scoring: Scoring,
  scoreOf: (note: CandidateNote) => string = (note) => scoreName(note, scoring),
): string {
  const places = placesOf(state);
  const columns = Math.max(1, ...[...places.values()].map(({ column }) => column + 1));
  const rows = Math.max(1, ...[...places.values()].map(({ row }) => row + 1));
  const width = margin * 2 + columns * columnWidth;
  const height = margin * 2 + rows * rowHeight;
  const x = (column: number): number => margin + column * columnWidth;
  const y = (row: number): number => margin + row * rowHeight;
  const edges = state.candidates.flatMap(({ note }) => {
    const to = places.get(note.id);
    return note.parents.flatMap((parent) => {
      const from = places.get(parent);
      if (!from || !to) return [];
      return [
        `<line x1="${x(from.column)}" y1="${y(from.row)}" x2="${x(to.column)}" y2="${y(to.row)}" stroke="#bbb"/>`,
      ];
    });
  });
  const nodes = state.candidates.flatMap(({ note }) => {
    const place = places.get(note.id);
    if (!place) return [];
    const isBest = note.id === state.bestId;
    const score = scoreOf(note);
    return [
      `<circle cx="${x(place.column)}" cy="${y(place.row)}" r="${isBest ? 8 : 5}" fill="${colourOf(note.island)}"${note.score === null ? ' fill-opacity="0.3"' : ''}><title>${note.id}: ${note.operator}, ${note.status}, ${score}</title></circle>`,
      `<text x="${x(place.column) + 10}" y="${y(place.row) + 4}"${isBest ? ' font-weight="bold"' : ''}>${score}</text>`,
    ];
  });
  const heads = Array.from(
    { length: columns },
    (_, column) => `<text x="${x(column)}" y="18" fill="#666">generation ${column}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...heads,
    ...edges,
    ...nodes,
    '</svg>',
    '',
  ].join('\n');
}

function placesOf({ candidates }: SessionState): Map<string, { column: number; row: number }> {
  const filled = new Map<number, number>();
  const places = new Map<string, { column: number; row: number }>();
  for (const { note } of candidates) {
    const row = filled.get(note.generation) ?? 0;
    filled.set(note.generation, row + 1);
    places.set(note.id, { column: note.generation, row });
  }
  return places;
}

const colours = ['#d0d0d0', '#8dd3c7', '#fdb462', '#bebada', '#fb8072', '#80b1d3', '#b3de69', '#fccde5'];

/** Candidates of island 0 belong to no island. */
function colourOf(island: number): string {
  if (island === 0) return colours[0] ?? '#d0d0d0';
  return colours[1 + ((island - 1) % (colours.length - 1))] ?? '#d0d0d0';
}
