/** "Final answer: …" in its many forms, `#### 18`, `<answer>…</answer>`, and the sentence that concludes a reply. */
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
