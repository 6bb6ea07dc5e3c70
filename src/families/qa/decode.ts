/** The text in a file's bytes, or the line where it ceases to be one. Knows UTF-8; names what else it may be. */
import type { Flaw } from './flaws.ts';

export type Decoded = { readonly text: string } | { readonly flaw: Flaw };

export function decode(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { flaw: { line: 1, what: 'the file is UTF-16; save it as UTF-8' } };
  }
  const zero = bytes.indexOf(0);
  if (zero >= 0) return { flaw: { line: lineAt(bytes, zero), what: 'a zero byte: this is no text' } };
  try {
    // A byte order mark at its beginning is left out.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const what = 'the bytes are no UTF-8; save the file as UTF-8 (it may be Latin-1)';
    return { flaw: { line: firstBadLine(bytes), what } };
  }
}

function firstBadLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end < 0 ? bytes.length : end;
    try {
      decoder.decode(bytes.subarray(start, stop));
    } catch {
      return line;
    }
    start = stop + 1;
  }
  return line;
}

function lineAt(bytes: Uint8Array, at: number): number {
  let line = 1;
  for (let i = bytes.indexOf(0x0a); i >= 0 && i < at; i = bytes.indexOf(0x0a, i + 1)) line += 1;
  return line;
}
