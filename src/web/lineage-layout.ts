/** Where the nodes of a lineage stand: a band each line of work, in it lanes, from left to right in the order of their making. */
import type { Lineage } from '../notes/panel.ts';

type Node = Lineage['nodes'][number];

export type PlacedNode = {
  readonly node: Node;
  /** Its place in the order, among those that are shown. */
  readonly column: number;
  readonly band: number;
  readonly lane: number;
  /** How many leaves of it are not shown. */
  readonly folded: number;
  /** It leads to the best. */
  readonly isOnWay: boolean;
};

/** From so many nodes on, leaves are counts. */
export const foldedFrom = 300;
const mostLanes = 6;

export function layoutNodes(nodes: readonly Node[], isComplete: boolean) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const path = pathToBest(nodes, byId);
  const parents = new Set(nodes.flatMap(({ parent, inspirations = [] }) => [parent, ...inspirations]));
  const isFolded = (node: Node): boolean =>
    !isComplete && nodes.length >= foldedFrom && !parents.has(node.id) && !path.has(node.id);
  const folded = new Map<string, number>();
  for (const { parent } of nodes.filter(isFolded))
    if (parent !== null) folded.set(parent, (folded.get(parent) ?? 0) + 1);
  const names = [...new Set(nodes.map(({ band }) => band))].toSorted((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  const bands = names.map((name) => ({ name, lanes: [] as { until: number; tip: string }[] }));
  const placed = new Map<string, PlacedNode>();
  for (const node of nodes) {
    if (isFolded(node)) continue;
    const column = placed.size;
    const band = names.indexOf(node.band);
    const lanes = bands[band]?.lanes ?? [];
    const parent = placed.get(node.parent ?? '');
    const lane = laneFor(lanes, parent?.band === band ? parent : undefined, column);
    // A dead end is drawn on its parent's lane and does not block it.
    if (parents.has(node.id) || node.tone === undefined || lanes[lane] === undefined)
      lanes[lane] = { until: column, tip: node.id };
    else lanes[lane].until = column;
    placed.set(node.id, {
      node,
      column,
      band,
      lane,
      folded: folded.get(node.id) ?? 0,
      isOnWay: path.has(node.id),
    });
  }
  return {
    placed,
    bands: bands.map(({ name, lanes }) => ({ name, lanes: Math.max(1, lanes.length) })),
    hidden: nodes.length - placed.size,
  };
}

function pathToBest(nodes: readonly Node[], byId: ReadonlyMap<string, Node>): ReadonlySet<string> {
  const way = new Set<string>();
  let node = nodes.findLast(({ isBest }) => isBest);
  while (node && !way.has(node.id)) {
    way.add(node.id);
    node = byId.get(node.parent ?? '');
  }
  return way;
}

/** That of its parent where it goes on there, else one that is free from its parent on, else the one that is free the longest. */
function laneFor(
  lanes: readonly { until: number; tip: string }[],
  parent: PlacedNode | undefined,
  column: number,
): number {
  if (parent && lanes[parent.lane]?.tip === parent.node.id) return parent.lane;
  const free = lanes.findIndex(({ until }) => until <= (parent?.column ?? column - 6));
  if (free >= 0) return free;
  if (lanes.length < mostLanes) return lanes.length;
  const minimum = Math.min(...lanes.map(({ until }) => until));
  return lanes.findIndex(({ until }) => until === minimum);
}
