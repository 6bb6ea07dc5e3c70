/** What was spent, on what, as `polya cost` tells it: unknown is never nothing. */
import { useState } from 'preact/hooks';
import type { CostLine, CostTable } from '../notes/page-items.ts';
import { grouped } from '../text/format.ts';
import { Choices, Command, HeaderCells, Name } from './controls.tsx';
import { to, useKeys } from './keys.ts';
import { usePolling } from './looking.ts';
import { Rows } from './rows.tsx';

const ways = ['model', 'day', 'family', 'run', 'role'] as const;
const spans: readonly (readonly [string, number | null])[] = [
  ['all', null],
  ['24 hours', 24],
  ['7 days', 7 * 24],
  ['30 days', 30 * 24],
];
const lookEveryMs = 5_000;

export function Cost() {
  const [by, setBy] = useState<(typeof ways)[number]>('model');
  const [hours, setHours] = useState<number | null>(null);
  const [selected, setChosen] = useState(0);
  const { found: table, problem } = usePolling<CostTable>({
    path: () => `/cost?by=${by}${hours === null ? '' : `&sinceMs=${Date.now() - hours * 3_600_000}`}`,
    everyMs: lookEveryMs,
    again: [by, hours],
  });
  const lines = table?.lines ?? [];
  const name = lines[selected]?.name;
  useKeys({
    j: ['next', () => setChosen(Math.min(lines.length - 1, selected + 1))],
    k: ['previous', () => setChosen(Math.max(0, selected - 1))],
    Enter: ['open the run', table?.by === 'run' && name && to(`#/runs/${name}`)],
    Escape: ['back', to('#/')],
  });
  if (!table) return <main class="empty">{problem}</main>;
  const isVisible = table.total.modelCalls > 0;
  const most = Math.max(...lines.map(({ knownCostUsd }) => knownCostUsd), 0);
  const since =
    hours === null ? '' : ` --since ${hours % 24 === 0 && hours > 24 ? `${hours / 24}d` : `${hours}h`}`;
  return (
    <main class="run">
      <header class="top">
        <h1>
          {isVisible ? table.total.cost : 'No model has been asked'}{' '}
          {isVisible && <small>{grouped(table.total.modelCalls)} model calls</small>}
        </h1>
        <p class="why">{table.lost}</p>
        {table.unread.map((what) => (
          <p key={what} class="bad">
            {what}
          </p>
        ))}
        <p class="facts">
          <Command>{`polya cost --by ${by}${since}`}</Command>
        </p>
        {problem !== '' && <p class="bad">{problem}</p>}
      </header>
      <div class="tabs">
        <Choices among={ways.map((each) => [`by ${each}`, each])} chosen={by} onChoose={setBy} />
        <span class="space" />
        <Choices among={spans} chosen={hours} onChoose={setHours} />
      </div>
      {isVisible ? (
        <section class="list">
          <HeaderCells
            of="costs"
            names={[by, ['Calls'], ['Tokens in'], ['Cached'], ['Tokens out'], '', ['Cost']]}
          />
          <Rows items={[...lines, table.total]} height={26} label="Cost" selected={selected}>
            {(line, at) => (
              <Line
                key={at === lines.length ? '' : line.name}
                line={line}
                most={most}
                state={at === lines.length ? 'total' : at === selected ? 'chosen' : ''}
                link={table.by === 'run' && at < lines.length ? `#/runs/${line.name}` : undefined}
              />
            )}
          </Rows>
        </section>
      ) : (
        <p class="none">
          {hours === null ? 'Start with ' : 'Not in this time. Choose a longer one, or start with '}
          <Command>polya demo</Command>: it needs no key, and nobody is paid.
        </p>
      )}
    </main>
  );
}

type LineProps = {
  readonly line: CostLine;
  readonly most: number;
  readonly state: string;
  readonly link: string | undefined;
};

function Line({ line, most, state, link }: LineProps) {
  const { name, modelCalls, input, cacheHitRate, output, cost, knownCostUsd, possiblyBilled } = line;
  return (
    <a class={`line costs ${state}`} href={link}>
      <Name text={name} />
      <span class="number">{grouped(modelCalls)}</span>
      <span class="number">{input === null ? 'unknown' : grouped(input)}</span>
      <span class="number soft">{cacheHitRate === null ? '' : `${Math.round(cacheHitRate * 100)} %`}</span>
      <span class="number">{output === null ? 'unknown' : grouped(output)}</span>
      <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {state !== 'total' && most > 0 && (
          <rect class="part" width={(100 * knownCostUsd) / most} height="6" />
        )}
      </svg>
      <span class="number" title={possiblyBilled > 0 ? `${possiblyBilled} possibly billed besides` : ''}>
        {cost}
      </span>
    </a>
  );
}
