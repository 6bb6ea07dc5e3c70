/** What the readers of a reply share: its lines and which lie in fences, and what each hands on: a grid or a fault, with its place. */
import type { Grid } from '../core/problem.ts';

export type Line = {
  /** Counted from 1, as the text has it. */
  readonly number: number;
  readonly text: string;
  readonly kind: 'text' | 'fence';
  readonly fenced: boolean;
};

export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let open: string | null = null;
  for (const [at, whole] of text.split('\n').entries()) {
    const parts: readonly string[] = splitRow(whole, open);
    for (const part of parts) {
      const fence: string | undefined = /^\s*(`{3,}|~{3,})/.exec(part)?.[1];
      const isFence: boolean = fence !== undefined && (open === null || fence.startsWith(open));
      // One with a language begins another, also where the one before was never closed.
      const closes: boolean = open !== null && !/^\s*[`~]+\s*\w/.test(part);
      if (isFence) open = closes ? null : (fence ?? null);
      lines.push({ number: at + 1, text: part, kind: isFence ? 'fence' : 'text', fenced: open !== null });
    }
  }
  return lines;
}

/** "0 0```" and "```0 0" are a row and a fence each; "```json" is a fence. */
function splitRow(line: string, open: string | null): string[] {
  const lastDigit = line.search(/\d\D*$/);
  const parts: string[] = [];
  let isOpen = open !== null;
  let rest = 0;
  for (const { 0: fence, index } of line.matchAll(/`{3,}|~{3,}/g)) {
    const before = line.slice(rest, index);
    if (before.trim() !== '') parts.push(before);
    rest = index + fence.length;
    if (!isOpen && lastDigit < rest) return [...parts, line.slice(index)];
    parts.push(fence);
    isOpen = !isOpen;
  }
  const last = line.slice(rest);
  return parts.length === 0 || last.trim() !== '' ? [...parts, last] : parts;
}

export type Candidate = {
  /** Counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** The label before it: `Test output 1`. Empty if there is none. */
  readonly label: string;
  /** The line of that label; 0 if there is none. */
  readonly labelLine: number;
  readonly fenced: boolean;
  /** A single row outside of any fence and without brackets: beside other grids it is more likely something else. */
  readonly isLoneRow: boolean;
  /** Only empty lines lie between it and the one before. */
  readonly continues: boolean;
} & ({ readonly grid: Grid } | { readonly fault: string });

const longestLabel = 160;

/** Without the marks of Markdown and JSON around it. */
export function labelText(text: string): string {
  const bare = text
    .replaceAll(/[#*`>"]|(?<!\w)_|_(?!\w)/g, '')
    .trim()
    .replace(/(?<![\s:=,{[(-])[\s:=,{[(-]+$/, '');
  return bare.length > longestLabel ? `…${bare.slice(-longestLabel)}` : bare;
}
