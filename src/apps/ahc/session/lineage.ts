/** Parents and children, as data and for Graphviz, a colour an island. Pure. */
import { harmless } from '../../../text/format.ts';
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

const islandColours = ['#8dd3c7', '#fdb462', '#bebada', '#fb8072', '#80b1d3', '#b3de69', '#fccde5'];

/** Candidates of island 0 belong to no island. */
const colourOf = (island: number): string => islandColours[(island - 1) % islandColours.length] ?? '#d0d0d0';
