/** Draws what an app tells of a run. All of it is text; what an event tells leads to that event. */
import { useState } from 'preact/hooks';
import type { Block, Code, Documents, Facts, Part, Prose, Table } from '../notes/panel.ts';
import { copyStart } from './api.ts';
import { At, type BlockProps, Mark } from './block-parts.tsx';
import { CopyButton } from './copy-button.tsx';
import { lazyComponent } from './later.tsx';

export function Blocks({ run, blocks }: { readonly run: string; readonly blocks: readonly Block[] }) {
  return (
    <>
      {blocks.map((block, at) => (
        <BlockView key={String(at)} run={run} block={block} />
      ))}
    </>
  );
}

// What only some apps show is loaded where one shows it.
const Grids = lazyComponent(async () => (await import('./block-grids.tsx')).GridsBlock, { isPart: true });
const Formulas = lazyComponent(async () => (await import('./block-formulas.tsx')).FormulasBlock, {
  isPart: true,
});
// As above.
const Chart = lazyComponent(async () => (await import('./block-chart.tsx')).ChartBlock, { isPart: true });
// As above.
const Heat = lazyComponent(async () => (await import('./block-heat.tsx')).HeatBlock, { isPart: true });
// As above.
const Lineage = lazyComponent(async () => (await import('./block-lineage.tsx')).LineageBlock, {
  isPart: true,
});
// As above.
const Difference = lazyComponent(async () => (await import('./difference.tsx')).Difference, { isPart: true });

/** Unknown kinds are not drawn. */
function BlockView({ run, block }: BlockProps) {
  switch (block.kind) {
    case 'facts':
      return <FactsBlock run={run} block={block} />;
    case 'text':
      return <ProseBlock run={run} block={block} />;
    case 'code':
      return <CodeBlock run={run} block={block} />;
    case 'table':
      return <TableBlock run={run} block={block} />;
    case 'part':
      return <PartBlock run={run} block={block} />;
    case 'chart':
      return <Chart run={run} block={block} />;
    case 'heat':
      return <Heat run={run} block={block} />;
    case 'lineage':
      return <Lineage run={run} block={block} />;
    case 'grids':
      return <Grids run={run} block={block} />;
    case 'formulas':
      return <Formulas run={run} block={block} />;
    case 'documents':
      return <DocumentsBlock run={run} block={block} />;
    default:
      return null;
  }
}

function FactsBlock({ run, block }: BlockProps<Facts>) {
  return (
    <p class="facts">
      {block.facts.map(({ label, value, seq, run: other }, at) => (
        <span key={String(at)}>
          {label}{' '}
          <At run={run} seq={seq}>
            {other === undefined ? (
              <b>{value}</b>
            ) : (
              <a class="at" href={`#/runs/${other}/panels`}>
                {value}
              </a>
            )}
          </At>
        </span>
      ))}
    </p>
  );
}

function ProseBlock({ run, block: { text, tone, seq } }: BlockProps<Prose>) {
  return (
    <p class={`words ${tone ?? ''}`}>
      {text} <At run={run} seq={seq} />
    </p>
  );
}

function CodeBlock({ run, block: { title, text, seq, before } }: BlockProps<Code>) {
  const lines = text.trimEnd().split('\n').length;
  return (
    <>
      {before && <p class="soft">What it changed of {before.title}</p>}
      {before && <Difference a={before.text} b={text} />}
      <div class="told-at">
        <details class="fold">
          <summary>
            <b>{title}</b> <code class="cut soft">{text.slice(0, 200)}</code>
            <small>{lines === 1 ? '1 line' : `${lines} lines`}</small>
          </summary>
          <CopyButton words={text} />
          <pre class="code whole">{text}</pre>
        </details>
        <At run={run} seq={seq} />
      </div>
    </>
  );
}

function TableBlock({ run, block: { title, columns, rows } }: BlockProps<Table>) {
  // A column of which there is nothing yet says nothing.
  const visibleCount = [...columns.keys()].filter((at) => rows.some(({ cells }) => cells[at]));
  const areTold = rows.some(({ seq }) => seq !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: where it is wider than the window, keys scroll it.
    <section class="table" tabIndex={0} aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {visibleCount.map((at) => (
              <th key={String(at)} class={columns[at]?.isNumber ? 'number' : ''}>
                {columns[at]?.title}
              </th>
            ))}
            {areTold && <th>event</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, tone, isMarked = false, seq }, line) => (
            <tr key={String(line)} class={tone} aria-current={isMarked || undefined}>
              {visibleCount.map((at, place) => (
                <td key={String(at)} class={columns[at]?.isNumber ? 'number' : ''}>
                  {place === 0 && <Mark tone={tone} />} {cells[at]}
                </td>
              ))}
              {areTold && (
                <td>
                  <At run={run} seq={seq}>
                    {seq}
                  </At>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function PartBlock({ run, block }: BlockProps<Part>) {
  const { title, about, tone, seq, isFolded = false, blocks } = block;
  const hasGrids = blocks.some(({ kind }) => kind === 'grids');
  const samples = blocks.filter(({ kind }) => hasGrids && (kind === 'grids' || kind === 'part'));
  // A long run has thousands of grids: those are made that somebody opens.
  const [isOpen, setOpen] = useState(!isFolded);
  return (
    <div class="told-at">
      <details class="part" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Mark tone={tone} /> <b class={tone}>{title}</b> <span class="soft">{about}</span>
        </summary>
        {isOpen && (
          <div class={samples.length > 0 ? 'beside' : ''}>
            <div>
              <Blocks run={run} blocks={blocks.filter((block) => !samples.includes(block))} />
            </div>
            <div>
              <Blocks run={run} blocks={samples} />
            </div>
          </div>
        )}
      </details>
      <At run={run} seq={seq} />
    </div>
  );
}

function DocumentsBlock({ run, block: { names } }: BlockProps<Documents>) {
  if (copyStart !== '') return null;
  return (
    <p class="words">
      {names.map((name) => (
        <a key={name} class="button" href={`api/v1/runs/${run}/documents/${name}`} download={name}>
          Save {name}
        </a>
      ))}
    </p>
  );
}
