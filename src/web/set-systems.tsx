/** The systems of a run-set beside one another: right with intervals, the best less each other, and what a row took. */
import { dollars, grouped } from '../text/format.ts';
import { differenceText, type Rival, rivalsOf, type System } from './systems.ts';

type Props = {
  readonly systems: readonly System[];
  /** Not all rows have ended, or not all are read. */
  readonly isPartial: boolean;
};

/** What is beside the matrix while no cell is chosen. */
export function Systems({ systems, isPartial }: Props) {
  // A permutation test over many rows takes its time: while rows come in, it is left out.
  const found = isPartial ? null : rivalsOf(systems);
  const isPermuted = found?.rivals.some(({ test }) => test === 'permutation');
  return (
    <aside class="inspector" aria-label="Right by system">
      <p class="soft">Choose a cell to see what was answered, and why it is right or wrong.</p>
      {systems.map((system) => {
        const rival = found?.rivals.find((each) => each.system === system);
        return (
          <p key={system.name}>
            <b>{system.name}</b>: {shareText(system)}
            <br />
            <span class="soft">
              {rival && `${found?.best.name} is ${rivalText(rival, found?.best.name ?? '')}. `}
              {tookText(system)}
            </span>
          </p>
        );
      })}
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
  if (share === null) return 'none ended';
  const range = interval ? ` (${percent(interval.low)} to ${percent(interval.high)})` : '';
  return `${right} of ${runs}, ${percent(share)}${range}`;
}

function rivalText(rival: Rival, best: string): string {
  const p = rival.corrected < 0.001 ? 'below 0.001' : rival.corrected.toPrecision(2);
  const only = `only ${best} right on ${rival.onlySecond}, only ${rival.system.name} on ${rival.onlyFirst}`;
  return `${differenceText(rival)}, ${only}, p ${p}`;
}

function tookText({ costUsd, tokens }: System): string {
  const cost = costUsd ? `, ${dollars(costUsd)}` : '';
  return tokens === null ? '' : `A row took ${grouped(Math.round(tokens))} tokens${cost}.`;
}
