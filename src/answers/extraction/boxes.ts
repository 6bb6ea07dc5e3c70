/** What stands in `\boxed{…}`: braces inside are counted; boxes side by side are one answer in several parts. */
import { limits } from '../limits.ts';
import type { Candidate } from './profiles.ts';

const opening = /\\{1,2}(?:boxed|fbox)\s*(?=[{\s\w])/g;

type Box = { readonly start: number; readonly end: number; readonly content: string };

export function boxedCandidates(reply: string): readonly Candidate[] {
  const groups: Box[][] = [];
  for (const box of boxesIn(reply)) {
    const last = groups.at(-1)?.at(-1);
    if (last && box.start < last.end) continue;
    if (last && areJoined(reply.slice(last.end, box.start))) groups.at(-1)?.push(box);
    else groups.push([box]);
  }
  return groups.map((boxes) => ({
    place: 'box',
    text: [...new Set(boxes.map(({ content }) => content.trim()))].join(' , '),
    isMath: true,
    start: boxes[0]?.start ?? 0,
    end: boxes.at(-1)?.end ?? 0,
  }));
}

function* boxesIn(reply: string): Generator<Box> {
  for (const match of [...reply.matchAll(opening)].slice(-limits.signs)) {
    const start = match.index;
    const open = start + match[0].length;
    if (reply[open] !== '{') {
      const word = /^\S{1,40}/.exec(reply.slice(open, open + 40))?.[0].replace(/[$.,;]+$/, '') ?? '';
      if (word && /\s$/.test(match[0])) yield { start, end: open + word.length, content: word };
      continue;
    }
    const end = closing(reply, open);
    if (end !== null) yield { start, end, content: unwrapped(reply.slice(open + 1, end - 1)) };
  }
}

/** A box that holds nothing but a box. */
function unwrapped(content: string): string {
  const [start] = /^\s*\\{1,2}(?:boxed|fbox)\s*(?=\{)/.exec(content) ?? [];
  const end = start === undefined ? null : closing(content, start.length);
  if (start === undefined || end === null || content.slice(end).trim() !== '') return content;
  return unwrapped(content.slice(start.length + 1, end - 1));
}

/** Behind the brace that closes the one at `open`; null where none does. */
function closing(text: string, open: number): number | null {
  let depth = 0;
  const last = Math.min(text.length, open + 20_000);
  for (let at = open; at < last; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

/** A few words or signs stand between parts of one answer; a sentence, or "=", between two tries at it. */
function areJoined(between: string): boolean {
  const bare = between.replaceAll(/\\(?:text|mbox|quad|qquad|[()[\]{}])|[${}\s]+/g, ' ').trim();
  if (between.length > 48 || /[.!?](?:\s|$)|\n\s*\n|\\\\/.test(between)) return false;
  return !/^(?:=|≈|\\approx|\\Rightarrow|\\implies|→|or|i\.e\.|so|thus|hence|which|therefore|equals|is)\b|^[=≈→]/i.test(
    bare,
  );
}
