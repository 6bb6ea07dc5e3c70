/** Two texts, and where they differ: by words in a line, by lines with words in a whole text. */
import { diffWordsWithSpace, structuredPatch } from 'diff';
import { useMemo } from 'preact/hooks';

/** Longer ones are not compared word by word. */
const mostCharacters = 5_000;
/** Texts that have hardly a line in common are shown one after the other. */
const longestMs = 1_500;

/** `mine`: the text of this side; what the other lacks is marked. */
export function Words({ mine, other, sign }: { mine: string; other: string; sign: '-' | '+' }) {
  const parts = useMemo(() => diffWords(mine, other), [mine, other]);
  return (
    <>
      {parts.map(({ value, isOwn }, index) =>
        isOwn ? (
          <mark key={String(index)} class={sign === '-' ? 'gone' : 'come'}>
            {value}
          </mark>
        ) : (
          value
        ),
      )}
    </>
  );
}

function diffWords(mine: string, other: string): readonly { value: string; isOwn: boolean }[] {
  if (mine.length + other.length > mostCharacters) return [{ value: mine, isOwn: true }];
  return diffWordsWithSpace(other, mine)
    .filter(({ removed }) => !removed)
    .map(({ value, added }) => ({ value, isOwn: Boolean(added) }));
}

/** Lines that differ, with three lines around them. */
export function Difference({ a, b }: { readonly a: string; readonly b: string }) {
  const hunks = useMemo(
    () => structuredPatch('', '', a, b, '', '', { context: 3, timeout: longestMs })?.hunks,
    [a, b],
  );
  if (a === b) return <p class="soft">The same words on both sides.</p>;
  if (!hunks) {
    return (
      <>
        <pre class="diff gone">{a}</pre>
        <pre class="diff come">{b}</pre>
      </>
    );
  }
  return (
    <div class="diff">
      {hunks.map((hunk, index) => (
        <div key={String(index)}>
          <p class="soft">
            {index > 0 || hunk.oldStart > 1 ? `from line ${hunk.oldStart}, ${hunk.newStart}` : ''}
          </p>
          {linesOf(hunk.lines).map(({ sign, line, other }, at) => (
            <code key={String(at)} class={sign === '-' ? 'gone' : sign === '+' ? 'come' : ''}>
              <i>{sign === '-' ? '−' : sign}</i>
              <span>
                {other === null || sign === ' ' ? line : <Words mine={line} other={other} sign={sign} />}
              </span>
            </code>
          ))}
        </div>
      ))}
    </div>
  );
}

type Line = { readonly sign: '-' | '+' | ' '; readonly line: string; readonly other: string | null };

/** If as many lines were removed as added, each is compared with the one in its place. */
function linesOf(lines: readonly string[]): readonly Line[] {
  const signed = lines.filter((line) => !line.startsWith('\\'));
  return signed.map((text, index) => {
    const sign = text.startsWith('-') ? '-' : text.startsWith('+') ? '+' : ' ';
    const line = text.slice(1);
    if (sign === ' ') return { sign, line, other: null };
    const starts = (at: number, mark: string) => signed[at]?.startsWith(mark) === true;
    let first = index;
    while (starts(first - 1, '-') || starts(first - 1, '+')) first -= 1;
    let gone = first;
    while (starts(gone, '-')) gone += 1;
    let end = gone;
    while (starts(end, '+')) end += 1;
    const counts = { gone: gone - first, come: end - gone };
    const twin = sign === '-' ? index + counts.gone : index - counts.gone;
    return { sign, line, other: counts.gone === counts.come ? (signed[twin]?.slice(1) ?? null) : null };
  });
}
