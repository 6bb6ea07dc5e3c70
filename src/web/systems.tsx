/** What the rows of a run-set say of the systems that it compares. Pure. */
import { seededChance } from '../core/seeded-chance.ts';
import { accuracyOf, type Comparison, compare, type Graded } from '../core/statistics/graded.ts';
import { holm } from '../core/statistics/paired.ts';
import type { SetHead, SetRowItem } from '../notes/page-items.ts';
import type { Chart } from '../notes/panel.ts';
import { formatDollars, grouped } from '../text/format.ts';
import { lazyComponent } from './later.tsx';
import { isRight } from './set-parts.tsx';

export type System = ReturnType<typeof systemOf>;
/** The best system beside another one: differences are the best less the other. */
export type ComparedSystem = Comparison & { readonly system: System; readonly corrected: number };

export function groupSystems({ columns }: SetHead, rows: readonly SetRowItem[]): readonly System[] {
  const ended = columns.map((): SetRowItem[] => []);
  for (const row of rows) if (row?.state === 'ended') ended[row.column]?.push(row);
  return columns.map((name, at) => systemOf(name, ended[at] ?? []));
}

function systemOf(name: string, rows: readonly SetRowItem[]) {
  const graded = rows.map((row): Graded => ({ question: String(row.line), isRight: isRight(row) }));
  const meanOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const costs = rows.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    ...accuracyOf(graded),
    name,
    graded,
    /** The mean of a row; null if one cost is unknown. */
    costUsd: rows.length === 0 || costs.length < rows.length ? null : meanOf(costs),
    tokens: rows.length === 0 ? null : meanOf(rows.map(({ tokenCount }) => tokenCount)),
  };
}

/** The best first, where it is alone; the p-values of the others are corrected for their number, by Holm. */
export function compareSystems(
  systems: readonly System[],
): { best: System; rivals: readonly ComparedSystem[] } | null {
  const [best, next] = systems
    .filter(({ share }) => share !== null)
    .toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0));
  if (!best || !next || best.share === next.share) return null;
  const others = systems.filter((system) => system !== best && system.share !== null);
  // The same rows give the same p-value, today and tomorrow.
  const chances = () => seededChance('polya view').next;
  const found = others.map((system) => ({ system, ...compare(system.graded, best.graded, chances) }));
  const corrected = holm(found.map(({ p }) => p));
  return { best, rivals: found.map((each, at) => ({ ...each, corrected: corrected[at] ?? 1 })) };
}

/** `+29 points, 95 % from +10 to +48` */
export function differenceText({ difference, interval }: Comparison): string {
  const points = (value: number): string => {
    const rounded = Math.round(value * 100);
    return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${Math.abs(rounded)}`;
  };
  const range = interval ? `, 95 % from ${points(interval.low)} to ${points(interval.high)}` : '';
  return `${points(difference ?? 0)} points${range}`;
}

/** Null where too little is known for an interval. */
export function isClear({ interval }: Comparison): boolean | null {
  return interval && (interval.low > 0 || interval.high < 0);
}

// The list of a set that compares nothing draws nothing.
const Plot = lazyComponent(async () => (await import('./block-chart.tsx')).ChartBlock, { isPart: true });

/** How much is right against what a row took: the costs, where all are known and paid, else the tokens. */
function plotOf(systems: readonly System[]): Chart {
  const inDollars = systems.every(({ costUsd }) => costUsd);
  return {
    kind: 'chart',
    title: `Right against ${inDollars ? 'the cost' : 'the tokens'} of a row`,
    x: { label: inDollars ? 'US dollars a row' : 'tokens a row' },
    y: { label: '% right' },
    series: systems.map(({ name, share, costUsd, tokens }) => {
      const x = inDollars ? costUsd : tokens;
      return { name, points: share === null || x === null ? [] : [{ x, y: 100 * share }] };
    }),
  };
}

type Props = {
  readonly systems: readonly System[];
  /** Not all rows have ended, or not all are read. */
  readonly isPartial: boolean;
};

/** What is beside the matrix while no cell is chosen. */
export function Systems({ systems, isPartial }: Props) {
  // A permutation test over many rows takes its time: while rows come in, it is left out.
  const found = isPartial ? null : compareSystems(systems);
  const isPermuted = found?.rivals.some(({ test }) => test === 'permutation');
  return (
    <aside class="inspector" aria-label="Right by system">
      <p class="soft">Choose a cell to see what was answered, and why it is right or wrong.</p>
      {systems.map((system) => {
        const comparedSystem = found?.rivals.find((each) => each.system === system);
        return (
          <p key={system.name}>
            <b>{system.name}</b>: {shareText(system)}
            <br />
            <span class="soft">
              {comparedSystem &&
                `${found?.best.name} is ${comparisonText(comparedSystem, found?.best.name ?? '')}. `}
              {costText(system)}
            </span>
          </p>
        );
      })}
      {!isPartial && <Plot run="" block={plotOf(systems)} />}
      {found && (
        <p class="soft">
          Intervals of 95 %, Wilson’s by problem; differences paired, with p of{' '}
          {isPermuted ? 'a permutation test' : 'McNemar’s exact test'}
          {found.rivals.length > 1 ? ', corrected by Holm for their number' : ''}.
        </p>
      )}
    </aside>
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function shareText({ share, right, runs, interval }: System): string {
  if (share === null) return 'none judged';
  const range = interval ? ` (${percent(interval.low)} to ${percent(interval.high)})` : '';
  return `${right} of ${runs}, ${percent(share)}${range}`;
}

function comparisonText(comparedSystem: ComparedSystem, best: string): string {
  const p = comparedSystem.corrected < 0.001 ? 'below 0.001' : comparedSystem.corrected.toPrecision(2);
  const only = `only ${best} right on ${comparedSystem.onlySecond}, only ${comparedSystem.system.name} on ${comparedSystem.onlyFirst}`;
  return `${differenceText(comparedSystem)}, ${only}, p ${p}`;
}

function costText({ costUsd, tokens }: System): string {
  const cost = costUsd ? `, ${formatDollars(costUsd)}` : '';
  return tokens === null ? '' : `A row took ${grouped(Math.round(tokens))} tokens${cost}.`;
}
