import type { ComparedSide, Comparison, RunFigures } from '../notes/page-compare.ts';
import { stateWord } from '../notes/run-list.ts';
import { formatDollars } from '../text/format.ts';
import { typed } from './controls.tsx';
import { Difference, Words } from './difference.tsx';
import { costOf, formatDuration, tokensOf, tokenWords } from './words.ts';

const figures: readonly (readonly [
  name: string,
  of: (side: RunFigures) => number | null,
  (value: number) => string,
])[] = [
  ['score', ({ score }) => score, String],
  ['model calls', ({ modelCalls }) => modelCalls, String],
  ['tool calls', ({ toolCalls }) => toolCalls, String],
  ['programs', ({ programs }) => programs, String],
  ['tokens', ({ tokens }) => tokens, tokenWords],
  ['cost', ({ costUsd }) => costUsd, formatDollars],
  ['time', ({ timeMs }) => timeMs, formatDuration],
];

export function Outcomes({ found }: { readonly found: Comparison }) {
  const { a, b, header } = found;
  const command = typed(`polya runs diff ${a.item.id} ${b.item.id}`);
  return (
    <>
      <h2>What was begun otherwise</h2>
      {header.length === 0 && <p class="soft">Nothing: both were begun alike.</p>}
      {header.map(({ name, a: before, b: after }) => (
        <Changed key={name} name={name} a={before} b={after} />
      ))}
      <h2>What came of them</h2>
      <table class="figures">
        <thead>
          <tr>
            <th />
            <th class="number">
              <b class="letter A">A</b>
            </th>
            <th class="number">
              <b class="letter B">B</b>
            </th>
            <th class="number">B − A</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th>outcome</th>
            <td class="number">{stateWord(a.item)}</td>
            <td class="number">{stateWord(b.item)}</td>
            <td />
          </tr>
          {figures.map(([name, of, words]) => {
            const [one, other] = [of(a.figures), of(b.figures)];
            if (name === 'score' && one === null && other === null) return null;
            const describe = (side: ComparedSide, value: number | null): string => {
              if (name === 'cost' && side.item.free !== null) return 'free';
              if (value !== null) return words(value);
              if (side.branch === '' && name === 'cost') return costOf(side.item);
              if (side.branch === '' && name === 'tokens') return tokensOf(side.item);
              return name === 'score' ? 'none' : 'unknown';
            };
            const isFree = a.item.free !== null && b.item.free !== null && name === 'cost';
            const step = one === null || other === null || isFree ? null : other - one;
            return (
              <tr key={name}>
                <th>{name}</th>
                <td class="number">{describe(a, one)}</td>
                <td class="number">{describe(b, other)}</td>
                <td class="number soft">{step === null ? '' : formatSigned(step, words)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {(a.answer ?? b.answer) !== null && (
        <>
          <h2>Answers</h2>
          {a.answer === b.answer ? (
            <pre class="diff">{a.answer}</pre>
          ) : (
            <Difference a={a.answer ?? ''} b={b.answer ?? ''} />
          )}
        </>
      )}
      {a.branch === '' && b.branch === '' && (
        <>
          <h2>The same in the terminal</h2>
          <pre class="command">{command}</pre>
        </>
      )}
    </>
  );
}

function formatSigned(step: number, words: (value: number) => string): string {
  if (step === 0) return '0';
  return `${step > 0 ? '+' : '−'}${words(Math.abs(step))}`;
}

/** Longer texts are folded. */
const mostInCell = 60;

export function Changed({ name, a, b }: { readonly name: string; readonly a: unknown; readonly b: unknown }) {
  const [before, after] = [formatValue(a), formatValue(b)];
  if (before.length + after.length > 2 * mostInCell) {
    return (
      <details class="fold">
        <summary>
          <b>{name}</b> <span class="cut soft">{after || before}</span>
        </summary>
        <Difference a={before} b={after} />
      </details>
    );
  }
  return (
    <p class="changed">
      <span class="soft">{name}</span>
      <span>{before === '' ? <i class="soft">none</i> : <Words mine={before} other={after} sign="-" />}</span>
      <span>{after === '' ? <i class="soft">none</i> : <Words mine={after} other={before} sign="+" />}</span>
    </p>
  );
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
