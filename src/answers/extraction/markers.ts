/**
 * What marks an answer: `\boxed{…}`, "Final answer: …" in its many forms, `#### 18`, `<answer>…</answer>`, and the
 * sentence that concludes a reply. What is only said of an answer is none: that it is right, or what it would be if the
 * question were another one.
 */
import { limits } from '../limits.ts';
import type { Candidate, Form } from './profiles.ts';
import { answerInLine } from './sentence.ts';

const marker =
  /(?:(?:final|correct|right)\s*|(?<!\s)\s+)?\b(?:final\s+answer|answers?|(?:correct|right)\s+(?:choice|option))\b\s*\**\s*(?:(?:[a-z]+\s+){0,6}?(?:is|are|be)\b\s*\**\s*:?|[:=]|\s[-–—→]\s|(?:\\n|\n))[\s*:]*(?:\\n)*/gi;
const tags = /<answer>([\s\S]{1,4000}?)<\/answer>/gi;
const hashes = /^#{4}\s*(\S[^\n]*)$/gm;
const conclusion =
  /^(?:so|thus|therefore|hence|finally|in conclusion|consequently|in total|altogether|overall)\b/i;

/** Who concludes after a formula may leave out the full stop before it. */
const sentenceBreak = /(?<=[.!?])\s+(?=[A-Z])|\n+|(?<=[$\])])\s+(?=(?:So|Thus|Therefore|Hence|Finally)\b)/;

export function tagCandidates(reply: string): readonly Candidate[] {
  return [...reply.matchAll(tags), ...reply.matchAll(hashes)].map((match) => ({
    place: 'tag',
    text: (match[1] ?? '').trim(),
    isMath: null,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

export function markerCandidates(reply: string, form: Form): readonly Candidate[] {
  return [...reply.matchAll(marker)].slice(-limits.signs).flatMap((match) => {
    const start = match.index + match[0].length;
    const line = firstLine(reply.slice(start, start + 2_000));
    const isPlainTalk = /\\{1,2}boxed/.test(line) || line === '';
    const sentence = firstSentence(line);
    const [said] = match;
    if (isJudgement(said, sentence) || isHypothetical(reply.slice(0, match.index), said)) return [];
    const found = isPlainTalk ? null : answerInLine(sentence, form);
    if (!found || !looksLikeAnswer(found.text)) return [];
    return [{ place: 'marker' as const, ...found, start: match.index, end: start + line.length }];
  });
}

/** The last sentence, where it draws a conclusion. */
export function conclusionCandidates(reply: string, form: Form): readonly Candidate[] {
  const text = reply.replace(/<\|[^|]*\|>\s*\w*\s*$/, '').trimEnd();
  const sentences = text.slice(-1_000).split(sentenceBreak);
  const last = sentences.at(-1) ?? '';
  if (!conclusion.test(last.trim())) return [];
  const found = answerInLine(last, form);
  if (!found || !/[\d\\]/.test(found.text)) return [];
  return [{ place: 'conclusion', ...found, start: text.length - last.length, end: text.length }];
}

/** Mathematics that is displayed goes over lines. */
function firstLine(text: string): string {
  const start = text.search(/\S/);
  if (start < 0) return '';
  const rest = text.slice(start);
  const display = /^(?:\$\$[\s\S]*?\$\$|\\\[[\s\S]*?\\\])/.exec(rest)?.[0];
  return display ?? rest.split('\n')[0]?.split('\\n')[0] ?? '';
}

/** A full stop ends it where another sentence begins; not the one in `$0.5$` or `e.g.`. */
function firstSentence(line: string): string {
  let isMath = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '$' && line[at - 1] !== '\\') isMath = !isMath;
    const isEnd = /[.!?]/.test(line[at] ?? '') && /^\s+[A-Z<]/.test(line.slice(at + 1, at + 8));
    if (isEnd && !isMath && !/\b(?:Dr|Mr|Mrs|Ms|St|vs|a\.m|p\.m|No)$/.test(line.slice(0, at)))
      return line.slice(0, at);
  }
  return line;
}

/** A few words at the most, unless there is something to calculate with. */
function looksLikeAnswer(text: string): boolean {
  if (text === '') return false;
  return /[\d\\$]/.test(text) || text.split(/\s+/).length <= 4;
}

const judgement =
  /^(?:(?:also|indeed|not|quite|very|clearly|certainly|therefore|thus|now|then|\w{1,20}ly)\s+){0,3}(?:correct|right|wrong|incorrect|consistent|compatible|plausible|reasonable|sensible|valid|invalid|unique|unchanged|verified|confirmed|as\s+expected|in\s+agreement|in\s+line\s+with|the\s+same\s+as|too\s+(?:large|small|big|high|low))\b/i;

/** Only where the marker is a sentence about the answer: `Answer: wrong` may well be one. */
function isJudgement(marker: string, text: string): boolean {
  return /\b(?:is|are|be)\b/i.test(marker) && judgement.test(text.trim());
}

const condition = /\b(?:if|had|were|unless|suppose|supposing|otherwise|instead|without)\b/i;
const conditional = /\b(?:would|could|might|should)\b/i;

/** `Note: if order mattered, the answer would be 14`; not `So the answer would be 14`. */
function isHypothetical(before: string, marker: string): boolean {
  return conditional.test(marker) && condition.test(sentenceOf(before) + marker);
}

/** The last line of a short reply is its answer, unless it is one of these. */
export function isAside(line: string): boolean {
  const said = /\b(?:answer|result|value)\s+(?:is|are)\s+(?<text>\D{1,200})$/i.exec(line.slice(0, 400));
  if (said?.groups?.text && isJudgement('is', said.groups.text)) return true;
  return /\banswer\b/i.test(line) && isHypothetical(line, line);
}

/** What stands before in the same sentence. */
function sentenceOf(before: string): string {
  const near = before.slice(-300);
  return near.slice(Math.max(near.lastIndexOf('\n'), near.search(/[.!?]\s[^.!?]*$/)) + 1);
}

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
