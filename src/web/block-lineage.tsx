/** Who came from whom. Thousands of marks are a few paths; one of them is chosen by pointer or by keys. */
import { useMemo, useState } from 'preact/hooks';
import type { Lineage } from '../notes/panel.ts';
import { grouped } from '../text/format.ts';
import { KeyboardChart, Line, nearest, Open, open, PointMarks, pathOf, round, useWidth } from './drawn.tsx';
import { layoutNodes, type PlacedNode } from './lineage-layout.ts';

const laneHeight = 18;
const pad = 14;
const gap = 4;
/** Closer together marks could not be told apart. */
const leastStep = 9;
const mostStep = 28;
const dead = { bad: 'm-3.5 -3.5l7 7m0 -7l-7 7', soft: 'm0 -4v8' } as const;

type NodePosition = PlacedNode & { readonly x: number; readonly y: number };

export function LineageBlock({ run, block }: { readonly run: string; readonly block: Lineage }) {
  const { title, nodes } = block;
  const [isComplete, setWhole] = useState(false);
  const [selected, setChosen] = useState('');
  const { box, room } = useWidth();
  const laid = useMemo(() => layoutNodes(nodes, isComplete), [nodes, isComplete]);
  const { spots, byId, edges, bands, width, height } = useMemo(() => layoutLineage(laid, room), [laid, room]);
  const spot = byId.get(selected);
  const at = spot?.column ?? -1;
  const go = (find: () => NodePosition | undefined) => () => setChosen((before) => find()?.node.id ?? before);
  return (
    <figure class="drawing">
      <figcaption>
        <b>{title}</b> <span class="soft">{grouped(nodes.length)} candidates</span>
        <span class="space" />
        {(laid.hidden > 0 || isComplete) && (
          <button type="button" aria-pressed={isComplete} onClick={() => setWhole(!isComplete)}>
            {isComplete ? 'Fold leaves' : `Show ${grouped(laid.hidden)} folded leaves`}
          </button>
        )}
      </figcaption>
      <div class="labelled">
        <div>
          {bands.map(({ name, height: own }, line) => (
            <p key={name} class="band" style={{ height: `${own}px` }}>
              <Line {...{ line, name }} />
            </p>
          ))}
        </div>
        <KeyboardChart
          {...{ box, width, height, x: spot?.x }}
          label={`${title}: left and right go by the order of making, up to the parent, down to a child, B to the best, Enter opens`}
          keys={{
            ArrowRight: go(() => spots[at + 1]),
            ArrowLeft: go(() => spots[at - 1]),
            ArrowUp: go(() => byId.get(spot?.node.parent ?? '')),
            ArrowDown: go(() => spots.find(({ node }) => node.parent === selected)),
            Home: go(() => spots[0]),
            End: go(() => spots.at(-1)),
            b: go(() => spots.find(({ node }) => node.isBest)),
            Enter: () => open(run, spot?.node.seq),
          }}
          onPoint={(place) => go(() => nearest(spots, place))()}
        >
          {bands.map((band) => (
            <rect key={band.name} class="band" y={band.top} width={width} height={band.height} rx="6" />
          ))}
          <path class="stroke" d={edges.near} />
          <path class="stroke foreign" d={edges.foreign} />
          <path class="stroke way" d={edges.way} />
          {bands.map(({ name }, line) => {
            const own = spots.filter(
              ({ band, node }) => band === line && (!node.tone || node.tone === 'good'),
            );
            return <PointMarks key={name} line={line} spots={own} />;
          })}
          {(['soft', 'bad'] as const).map((tone) => {
            const own = spots.filter(({ node }) => node.tone === tone);
            return <path key={tone} class={`stroke ${tone}`} d={pathOf(own, dead[tone])} />;
          })}
          {spots.map(({ folded, node, x, y }) => (
            <>
              {folded > 0 && (
                <text x={x} y={y - 6} text-anchor="middle">
                  +{folded}
                </text>
              )}
              {node.isBest && <circle class="stroke ring" cx={x} cy={y} r="8" />}
            </>
          ))}
          {spot && <circle class="stroke at" cx={spot.x} cy={spot.y} r="8" />}
        </KeyboardChart>
      </div>
      <p class="told" role="status">
        {spot ? (
          <NodeDetails run={run} spot={spot} />
        ) : (
          'A thick line is the way to the best, a dashed one comes from another line of work; × came to nothing, | was dropped.'
        )}
      </p>
    </figure>
  );
}

function NodeDetails({ run, spot: { node, folded } }: { readonly run: string; readonly spot: NodePosition }) {
  const { id, seq, band, parent, label, about, isBest } = node;
  const words = [label, isBest ? 'the best' : '', band, parent === null ? '' : `from ${parent}`];
  return (
    <>
      <b>{id}</b> {words.filter(Boolean).join(', ')}. {about} {folded > 0 && `(${folded} folded)`}{' '}
      <Open run={run} seq={seq} />
    </>
  );
}

function layoutLineage({ placed, bands: named }: ReturnType<typeof layoutNodes>, capacity: number) {
  let top = -gap;
  const bands = named.map(({ name, lanes }) => {
    const band = { name, top: top + gap, height: lanes * laneHeight + 2 * pad };
    top = band.top + band.height;
    return band;
  });
  const step = Math.min(mostStep, Math.max(leastStep, (capacity - 2 * pad) / Math.max(1, placed.size)));
  const spots = [...placed.values()].map((each) => ({
    ...each,
    x: round(pad + (each.column + 0.5) * step),
    y: (bands[each.band]?.top ?? 0) + pad + (each.lane + 0.5) * laneHeight,
  }));
  const byId = new Map(spots.map((spot) => [spot.node.id, spot]));
  const edges = { near: '', foreign: '', way: '' };
  for (const to of spots) {
    const { parent, inspirations = [] } = to.node;
    for (const id of [parent, ...inspirations]) {
      const from = byId.get(id ?? '');
      if (!from) continue;
      const isClose = id === parent && from.band === to.band;
      edges[id === parent && to.isOnWay ? 'way' : isClose ? 'near' : 'foreign'] += edgeOf(from, to);
    }
  }
  return {
    bands,
    spots,
    byId,
    edges,
    width: Math.max(capacity, 2 * pad + placed.size * step),
    height: Math.max(0, top),
  };
}

/** It leaves its parent at once, so that it runs along its own lane. */
function edgeOf(from: NodePosition, to: NodePosition): string {
  const x = round(from.x + Math.min(14, (to.x - from.x) / 2));
  return `M${from.x} ${from.y}C${x} ${from.y} ${from.x} ${to.y} ${x} ${to.y}H${to.x}`;
}
