/** The systems of a run-set beside one another: right with intervals, the best less each other, right against cost. */
import { dollars, grouped } from '../text/format.ts';
import sheet from './set-systems.css?inline';
import { adopt } from './sheet.ts';
import { differenceText, isClear, type Rival, rivalsOf, type System } from './systems.ts';

adopt(sheet);

/** Shown beside the matrix while no cell is chosen. */
export function Systems({
  systems,
  isRunning,
}: {
  readonly systems: readonly System[];
  readonly isRunning: boolean;
}) {
  // A permutation test over many rows takes its time: while rows come in, it is left out.
  const found = isRunning ? null : rivalsOf(systems);
  return (
    <aside class="inspector" aria-label="Right by system">
      <p class="soft">Choose a cell to see what was answered, and why it is right or wrong.</p>
      <figure class="systems">
        <figcaption>
          <b>Right, with 95 % intervals</b> <span class="soft">Wilson’s, by problem</span>
        </figcaption>
        {systems.map(({ name, share, right, runs, interval }) => (
          <p key={name} class="against">
            <span class="cut" title={name}>
              {name}
            </span>
            <Track at={share} {...(interval ?? {})} isClear />
            <span class="number">
              {share === null ? 'none ended' : `${right} of ${runs}, ${Math.round(share * 100)} %`}
            </span>
          </p>
        ))}
        <p class="against soft" aria-hidden="true">
          <span />
          <span class="ends">0 to 100 %</span>
        </p>
      </figure>
      {found && <Differences {...found} />}
      <Costs systems={systems} />
    </aside>
  );
}

type TrackProps = {
  /** From 0 to 1, as the others. */
  readonly at: number | null;
  readonly low?: number;
  readonly high?: number;
  readonly zero?: number;
  readonly isClear: boolean;
};

const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;

function Track({ at, low = at ?? 0, high = at ?? 0, zero, isClear: isFilled }: TrackProps) {
  const kind = `track ${isFilled ? 'clear' : ''} ${zero === undefined ? '' : 'difference'}`;
  return (
    <span class={kind} aria-hidden="true">
      {zero !== undefined && <i class="zero" style={{ left: percent(zero) }} />}
      {at !== null && <i style={{ left: percent(low), right: percent(1 - high) }} />}
      {at !== null && <b style={{ left: percent(at) }} />}
    </span>
  );
}

function Differences({ best, rivals }: { readonly best: System; readonly rivals: readonly Rival[] }) {
  const ends = rivals.flatMap(({ interval, difference }) => [
    Math.abs(interval?.low ?? difference ?? 0),
    Math.abs(interval?.high ?? difference ?? 0),
  ]);
  const most = Math.min(1, Math.ceil(Math.max(0.05, ...ends) * 20) / 20);
  const along = (value: number): number => (value + most) / (2 * most);
  const isPermuted = rivals.some(({ test }) => test === 'permutation');
  return (
    <figure class="systems">
      <figcaption>
        <b>{best.name} minus the other, in points</b>{' '}
        <span class="soft">paired; n : n is right more often against less often</span>
      </figcaption>
      {rivals.map((rival) => {
        const { system, difference, interval, onlyFirst, onlySecond, corrected } = rival;
        return (
          <p key={system.name} class="against" title={differenceText(rival)}>
            <span class="cut">{system.name}</span>
            <Track
              at={along(difference ?? 0)}
              {...(interval ? { low: along(interval.low), high: along(interval.high) } : {})}
              zero={0.5}
              isClear={isClear(rival) === true}
            />
            <span class="number">
              {differenceText({ ...rival, interval: null })},{' '}
              <span class="soft">
                {onlySecond} : {onlyFirst}, p {corrected < 0.001 ? 'below 0.001' : corrected.toPrecision(2)}
              </span>
            </span>
          </p>
        );
      })}
      <p class="soft">
        −{Math.round(most * 100)} to +{Math.round(most * 100)} points. Filled: the 95 % interval leaves out 0.
        p of {isPermuted ? 'a permutation test' : 'McNemar’s exact test'}
        {rivals.length > 1 ? ', corrected by Holm for their number' : ''}.
      </p>
    </figure>
  );
}

/** By cost where it is known of all and not nothing, else by tokens. */
function Costs({ systems }: { readonly systems: readonly System[] }) {
  const known = systems.filter(({ share }) => share !== null);
  const isCost = known.every(({ costUsd }) => costUsd !== null) && known.some(({ costUsd }) => costUsd !== 0);
  const worthOf = ({ costUsd, tokens }: System): number => (isCost ? costUsd : tokens) ?? 0;
  const most = Math.max(0, ...known.map(worthOf));
  if (known.length < 2 || most === 0) return null;
  const spots = levelled(
    known.map((each) => ({ name: each.name, along: worthOf(each) / most / reach, bottom: each.share ?? 0 })),
  );
  const told = (value: number): string => (isCost ? dollars(value) : `${grouped(Math.round(value))} tokens`);
  return (
    <figure class="systems">
      <figcaption>
        <b>Right against {isCost ? 'cost' : 'tokens'} of a row</b>{' '}
        {!isCost && <span class="soft">costs are free or not known</span>}
      </figcaption>
      <div
        class="scatter"
        role="img"
        aria-label={known.map((each) => `${each.name}: ${told(worthOf(each))}`).join('; ')}
      >
        <span class="edge" style={{ right: '100%', top: '-8px', paddingRight: '8px' }}>
          100 %
        </span>
        <span class="edge" style={{ right: '100%', bottom: '-8px', paddingRight: '8px' }}>
          0 %
        </span>
        {spots.map(({ name, along, bottom, level }) => (
          <>
            <span key={name} class="spot" style={{ left: percent(along), bottom: percent(bottom) }} />
            <span
              class={`name ${along > 0.5 ? 'left' : ''}`}
              style={{
                [along > 0.5 ? 'right' : 'left']: percent(along > 0.5 ? 1 - along : along),
                bottom: percent(level),
              }}
            >
              {name}, {told(along * most * reach)}
            </span>
          </>
        ))}
      </div>
    </figure>
  );
}

/** How far the scale goes beyond the dearest. */
const reach = 1.1;
/** The height of a line of text, as a share of the drawing's height. */
const lineHeight = 0.115;

/** Names that would overlap are placed below one another. */
function levelled<T extends { readonly along: number; readonly bottom: number }>(spots: readonly T[]) {
  const lowest = { left: Number.POSITIVE_INFINITY, right: Number.POSITIVE_INFINITY };
  return spots
    .toSorted((a, b) => b.bottom - a.bottom)
    .map((spot) => {
      const side = spot.along > 0.5 ? 'right' : 'left';
      lowest[side] = Math.min(spot.bottom, lowest[side] - lineHeight);
      return { ...spot, level: lowest[side] };
    });
}
