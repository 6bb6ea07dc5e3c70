/**
 * Finds the mathematics in what people and models write: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, and environments that stand
 * alone, such as `align`. Code is left alone, `\$` is a dollar, and a sign without its partner is text. Pure.
 */

export type Formula = Extract<TextSegment, { type: 'math' }>;

export type TextSegment =
  | { readonly type: 'text' | 'code'; readonly text: string }
  /** `source` with its signs, `tex` without. */
  | { readonly type: 'math'; readonly tex: string; readonly isDisplay: boolean; readonly source: string };

export function splitMath(text: string): readonly TextSegment[] {
  const parts: TextSegment[] = [];
  const found = createFinder(text);
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const textSegment = found(at);
    if (textSegment) {
      if (plain) parts.push({ type: 'text', text: plain });
      plain = '';
      parts.push(textSegment);
      at += sourceOf(textSegment).length;
      continue;
    }
    const skipped = escapeAt(text, at) ?? (text[at] as string);
    plain += skipped;
    at += skipped.length;
  }
  return plain ? [...parts, { type: 'text', text: plain }] : parts;
}

/** As it was written. */
export function sourceOf(textSegment: TextSegment): string {
  return textSegment.type === 'math' ? textSegment.source : textSegment.text;
}

/** Environments that TeX opens outside of mathematics. */
const alone = String.raw`(?:align|alignat|gather|multline|eqnarray|equation|displaymath|math)\*?`;

type Form = {
  readonly pattern: RegExp;
  readonly isDisplay: boolean;
  /** What has no partner from here on, up to the end of its paragraph, where the pattern does not match. */
  readonly opening: RegExp;
};

/** None of them reaches over a paragraph's end: a sign that was forgotten spoils no more than its own. */
const inner = String.raw`(?:(?!\n[ \t]*\n)[^\\]|\\[\s\S])`;
const environment = String.raw`\\begin\{(${alone})\}`;
const forms: readonly Form[] = [
  { pattern: new RegExp(String.raw`\$\$(${inner}+?)\$\$`, 'y'), isDisplay: true, opening: /\$\$/y },
  { pattern: new RegExp(String.raw`\\\[(${inner}+?)\\\]`, 'y'), isDisplay: true, opening: /\\\[/y },
  {
    pattern: new RegExp(String.raw`(${environment}${inner}+?\\end\{\2\})`, 'y'),
    isDisplay: true,
    opening: new RegExp(environment, 'y'),
  },
  { pattern: new RegExp(String.raw`\\\((${inner}+?)\\\)`, 'y'), isDisplay: false, opening: /\\\(/y },
  // As in Pandoc: no space inside the signs, and no digit behind the closing one: "$5 and $6" are prices.
  {
    pattern: /\$(?![\s$])((?:(?!\n[ \t]*\n)[^\\$]|\\[\s\S])*?(?:[^\s\\$]|\\\S))\$(?!\d)/y,
    isDisplay: false,
    opening: /\$(?!\$)/y,
  },
];

/** Asked from front to back. What was looked for in vain is not looked for again in the same paragraph. */
function createFinder(text: string): (at: number) => TextSegment | null {
  const fences = findFences(text);
  const vain = new Map<string, number>();
  const mathAt = (at: number): Formula | null => {
    for (const { pattern, isDisplay, opening } of forms) {
      const sign = matchAt(opening, text, at)?.[0];
      if (sign === undefined || at < (vain.get(sign) ?? 0)) continue;
      const [source, tex] = matchAt(pattern, text, at) ?? [];
      // A dollar ends at the next, which may be one of another pair.
      if (source === undefined && sign !== '$') vain.set(sign, paragraphEnd(text, at));
      if (source !== undefined && tex !== undefined && tex.trim() !== '')
        return { type: 'math', tex: tex.trim(), isDisplay, source };
    }
    return null;
  };
  return (at) => {
    const sign = text[at];
    if (sign === '$' || sign === '\\') return mathAt(at);
    const end = fences.endAt(at) ?? (sign === '`' ? spanEnd(text, at) : null);
    return end === null ? null : { type: 'code', text: text.slice(at, end) };
  };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function paragraphEnd(text: string, from: number): number {
  const gap = /\n[ \t]*\n/g;
  gap.lastIndex = from;
  return gap.exec(text)?.index ?? text.length;
}

const fenceLine = /^([ \t]{0,3})(`{3,}|~{3,})(.*)$/s;

/**
 * Blocks of code, by where they begin. A line of a fence alone closes one of the same sign; where none is as long as the
 * one that opens, a shorter one does.
 */
function findFences(text: string): { endAt(at: number): number | null } {
  let at = 0;
  const lines = text.split('\n').flatMap((line) => {
    const start = at;
    at += line.length + 1;
    const [, , fence = '', rest = ''] = fenceLine.exec(line) ?? [];
    const isClosing = /^[`~]*[ \t]*$/.test(rest);
    const end = start + line.length;
    return fence ? [{ start, end, sign: fence.charAt(0), length: fence.length, isClosing, longest: 0 }] : [];
  });
  const longestEntry: Record<string, number> = {};
  for (const line of lines.toReversed()) {
    line.longest = longestEntry[line.sign] ?? 0;
    if (line.isClosing) longestEntry[line.sign] = Math.max(line.longest, line.length);
  }
  const byStart = new Map(lines.map((line, index) => [line.start, index]));
  return {
    endAt(at) {
      const index = byStart.get(at);
      const start = index === undefined ? undefined : lines[index];
      if (index === undefined || !start || start.longest === 0) return null;
      const length = Math.min(start.length, start.longest);
      for (let behind = index + 1; behind < lines.length; behind += 1) {
        const line = lines[behind];
        if (line?.isClosing && line.sign === start.sign && line.length >= length) return line.end;
      }
      return null;
    },
  };
}

const codeSpan = /(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/y;

function spanEnd(text: string, at: number): number | null {
  const found = matchAt(codeSpan, text, at)?.[0];
  return found ? at + found.length : null;
}

function escapeAt(text: string, at: number): string | null {
  return text[at] === '\\' && at + 1 < text.length ? text.slice(at, at + 2) : null;
}
