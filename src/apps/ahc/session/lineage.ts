/** Parents and children, as data, for Graphviz, and as a picture: a column a generation, a colour an island. Pure. */
import type { CandidateNote } from '../../../notes/evolution.ts';
import { harmless } from '../../../text/format.ts';
import { markup } from '../../../text/markup.ts';
import type { SessionState } from './fold.ts';
import { type Scoring, scoreName } from './names.ts';

export function lineageDocument({ candidates, migrations, bestId }: SessionState, scoring: Scoring) {
  return {
    best: bestId,
    nodes: candidates.map(({ note }) => {
      const { id, generation, island, operator, status } = note;
      return { id, generation, island, operator, status, score: scoreName(note, scoring) };
    }),
    edges: candidates.flatMap(({ note }) =>
      note.parents.map((parent) => ({ from: parent, to: note.id, operator: note.operator })),
    ),
    migrations,
  };
}

export function lineageDot({ candidates, bestId }: SessionState, scoring: Scoring): string {
  const nodes = candidates.map(({ note }) => {
    const style = note.id === bestId ? 'filled,bold' : 'filled';
    const label = dotText(`${note.id}\n${scoreName(note, scoring)}`);
    return `  ${note.id} [label=${label}, style="${style}", fillcolor="${colourOf(note.island)}"];\n`;
  });
  const edges = candidates.flatMap(({ note }) =>
    note.parents.map((parent) => `  ${parent} -> ${note.id} [label=${dotText(note.operator)}];\n`),
  );
  const head = 'digraph lineage {\n  rankdir=LR;\n  node [shape=box, fontname="sans-serif"];\n';
  return `${head}${nodes.join('')}${edges.join('')}}\n`;
}

function dotText(text: string): string {
  return `"${harmless(text).replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

const columnWidth = 130;
const rowHeight = 26;
const margin = 40;

/** `scoreOf`: the label of a candidate. Default: the score in the name of its file. */
export function lineageSvg(
  { candidates, bestId }: SessionState,
  scoring: Scoring,
  scoreOf: (note: CandidateNote) => string = (note) => scoreName(note, scoring),
): string {
  const rows = new Map<number, number>();
  const placed = candidates.map(({ note }) => {
    const row = rows.get(note.generation) ?? 0;
    rows.set(note.generation, row + 1);
    return { note, x: margin + note.generation * columnWidth, y: margin + row * rowHeight };
  });
  const places = new Map(placed.map((each) => [each.note.id, each]));
  const edges = placed.flatMap(({ note, x, y }) =>
    note.parents.flatMap((parent) => {
      const from = places.get(parent);
      return from ? [`<line x1="${from.x}" y1="${from.y}" x2="${x}" y2="${y}" stroke="#bbb"/>`] : [];
    }),
  );
  const nodes = placed.flatMap(({ note, x, y }) => {
    const isBest = note.id === bestId;
    const score = scoreOf(note);
    return [
      `<circle cx="${x}" cy="${y}" r="${isBest ? 8 : 5}" fill="${colourOf(note.island)}"${note.score === null ? ' fill-opacity="0.3"' : ''}><title>${markup(`${note.id}: ${note.operator}, ${note.status}, ${score}`)}</title></circle>`,
      `<text x="${x + 10}" y="${y + 4}"${isBest ? ' font-weight="bold"' : ''}>${markup(score)}</text>`,
    ];
  });
  const columns = Math.max(1, ...[...rows.keys()].map((generation) => generation + 1));
  const heads = Array.from(
    { length: columns },
    (_, column) =>
      `<text x="${margin + column * columnWidth}" y="18" fill="#666">generation ${column}</text>`,
  );
  const width = margin * 2 + columns * columnWidth;
  const height = margin * 2 + Math.max(1, ...rows.values()) * rowHeight;
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

const islandColours = ['#8dd3c7', '#fdb462', '#bebada', '#fb8072', '#80b1d3', '#b3de69', '#fccde5'];

/** Candidates of island 0 belong to no island. */
const colourOf = (island: number): string => islandColours[(island - 1) % islandColours.length] ?? '#d0d0d0';
