/**
 * What marks an answer: `\boxed{…}`, "Final answer: …" in its many forms, `#### 18`, `<answer>…</answer>`, and the
 * sentence that concludes a reply. What is only said of an answer is none: that it is right, or what it would be if the
 * question were another one.
 */
import { limits } from '../limits.ts';
import type { Candidate, Form } from './profiles.ts';
import { goesOn, isName, isRefusal, term } from './refusal.ts';
import { answerInLine, withoutBeside } from './sentence.ts';

const marker =
  /(?:(?:final|correct|right)\s*|(?<!\s)\s+)?(?<![-\w])(?:final\s+answer|answers?|(?:correct|right)\s+(?:choice|option|result|value|total|count|number))\b\s*\**\s*(?:(?:[a-z]+\s+){0,6}?(?:is|are|be)\b\s*\**\s*:?|=>|[:=⇒|]|\s?(?:[→➜➔⟶]|->)|\s[-–—]\s|(?:\\n|\n))[\s*:]*(?:\\n)*/gi;
/** The same in other languages, and in short. */
const foreign =
  /(?:(?<!\p{L})(?:r[ée]ponse|antwort|l[öo]sung|ergebnis|respuesta|resposta|risposta|antwoord|odpowied[źz]|odpověď|svar|cevap|jawaban|đáp án|ответ|відповідь|итого|resultado|risultato|kết quả|النتيجة|sonuç|wynik|výsledek|resultat|hasil|उत्तर|الجواب|الإجابة)(?:[ ]+(?:finale?|corre[ck]te?|correcta|corretta|final|est|es|ist|lautet|är|is|adalah|è|é|है|это|is:)(?!\p{L})){0,2}|结果|結果|결과|答案|答え|正解|解答|答|故选|故選|정답|답|回答|(?<!\p{L})ans(?=[.:=\s])|(?<=^|\n)[*#\s]{0,6}result(?=\s*\**(?::|[ \t]*\n))|(?<=^|\n)\**output(?=\s*\**:\**\s*\n\s*```)|(?<=^|\n)\**solution(?=\s*\**:[ \t]*\**[-+$]?[\d.,]+\**[ \t]*(?:\n|$)))\s*\**\s*(?:=>|[:=⇒→➜|]|(?<=result\**\s*)\n|(?<=故[选選])(?=\s*[A-J])|\.(?=\s*[-\d$\\])|是|为|為|は|은|는|(?<=(?:est|es|ist|lautet|är|is|adalah|è|é|है|это)\s*))[\s*:]*/giu;
const short = /^\**A\s*:\**\s*(?=[-+$€£¥\\(\d.])/gm;
/** A list under it says what they are. */
const listed =
  /\b(?:solutions?|roots?|zeros|values?|results?|answers?)\b[^.:\n]{0,40}\b(?:is|are)\s*\**\s*:\**[ \t]*\n\s*(?=(?:[-*•+]|\d+[.)])[ \t])/gi;
/** Of one option among others: `I'd go with B`, `Option B is right`. */
const chosen =
  /\b(?:I['’]d|I['’]ll|I would|I will|I|[Ww]e)\s+(?:(?!not\b|never\b)\w+\s+)?(?:go with|choose|pick|select|opt for)\s+(?=[*_(]*(?:(?:option|choice|answer)\s+)?[*_("]*[A-J]\b)|(?<!\p{L})(?:[Oo]ption|[Cc]hoice|[Aa]nswer|[Aa]ntwort|[Rr]éponse|[Oo]pci[óo]n|[Rr]isposta)\s+(?=[*_(]*[A-J][*_)]*\s+(?:is|ist|est|es|è)\s+(?:the\s+|la\s+)?(?:correct\w*|right|best|true|richtig|bonne)(?!\p{L}))/gu;
const tags = /(?:<answer>|\[answer\])([\s\S]{1,4000}?)(?:<\/answer>|\[\/answer\])/gi;
/** The answer of a reply that is JSON. */
const field = /"(?:final_?)?answer"\s*:\s*"?((?<=")(?:[^"\\]|\\.){1,2000}(?=")|(?<!")-?\d[\d.eE+-]*)/gi;
const hashes = /(?:^|(?<=\S[ \t]{0,15}))#{4}[ \t]*([^\s#][^\n]{0,100})$/gm;

/** Who concludes after a formula may leave out the full stop before it. */
const sentenceBreak =
  /(?<=(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|No|Jr|Sr|Fig|Eq|cf|[a-z]\.[a-z]))[.!?])\s+(?=["“¿¡]?[\p{Lu}\p{Lo}])|\n+|(?<=[$\])])\s+(?=(?:So|Thus|Therefore|Hence|Finally)\b)/u;

export function sentencesOf(text: string): readonly string[] {
  const parts = text.split(sentenceBreak).filter((sentence) => sentence.trim() !== '');
  // `D. It cannot be determined` is one.
  const [letter = '', next, ...rest] = parts;
  return next && /^\W*[A-J]\.$/.test(letter) ? [`${letter} ${next}`, ...rest] : parts;
}

const nothing =
  /\bno (?:such )?(?:\p{L}+ ){0,3}?(?:exists?\b|(?:solutions?|roots?)\b(?: exists?)?|satisf\p{L}+|works?(?=\W*$))|\bno such \p{L}+|\bdo(?:es)? not exist\b|(?<=\b(?:is|are) )(?:undefined|not defined|impossible|empty|infinite|divergent)(?=\W*(?:$|because|since|as\b|\())|\bdiverges(?=\W*$)/iu;

/** What says in a sentence that there is nothing, unless a number follows from that. */
export function nothingIn(sentence: string): string | null {
  const match = nothing.exec(sentence);
  return match && !goesOn.test(sentence.slice(match.index + match[0].length)) ? match[0] : null;
}

export function tagCandidates(reply: string): readonly Candidate[] {
  const last = reply.trimEnd().length;
  const marked = [...reply.matchAll(hashes)].filter((match) => {
    const isAtEnd = match.index + match[0].trimEnd().length >= last;
    return isHashed(
      withoutBeside(match[1] ?? ''),
      isAtEnd || match.index > reply.lastIndexOf('\n', match.index) + 1,
    );
  });
  const fields = [...reply.matchAll(field)].slice(-limits.signs);
  return [...[...reply.matchAll(tags)].slice(-limits.signs), ...marked, ...fields].map((match) => ({
    place: 'tag',
    text: withoutBeside((match[1] ?? '').trim()).replace(/^\*\*(.*)\*\*$/, '$1'),
    isMath: null,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** `#### 18`, and no heading: a value, with a few words after it where nothing else follows. */
function isHashed(text: string, isLast: boolean): boolean {
  const bare = text.replaceAll(/\*\*/g, '').trim();
  if (/\\boxed|[:：]\s*$|^\(?\w{1,2}[.)]\s*[A-Z]|^\d+[.)]\s+\S/.test(bare)) return false;
  const words = bare.replaceAll(/\$[^$]*\$|\\[a-zA-Z]+/g, ' ').match(/\p{L}{2,}/gu)?.length ?? 0;
  const isValue = /^(?:[A-Za-z]\w?\s*=\s*)?[-+−$€£¥\\([{|√π\d.]/u.test(bare);
  if (isValue) return words === 0 || (isLast && words <= 4);
  return isLast && words <= 2 && !headings.test(bare) && /^[\p{L}\s.,'-]+$/u.test(bare);
}

const headings =
  /^(?:step|part|case|solution|verif\w*|check\w*|answer|final|conclu\w*|result|summary|note|remark|proof|explanation|approach|analysis|method|reasoning|alternativ\w*|example|question|problem|calculation|setup|given)\b/i;

export function markerCandidates(reply: string, form: Form, isChoice = false): readonly Candidate[] {
  const found = [marker, foreign, short, listed, ...(isChoice ? [chosen] : [])].flatMap((pattern) =>
    [...reply.matchAll(pattern)].slice(-limits.signs),
  );
  const claimLength = Math.min(limits.claim, Math.ceil(limits.claims / found.length));
  return found
    .sort((a, b) => a.index - b.index)
    .flatMap((match) => {
      const start = match.index + match[0].length;
      const rest = reply.slice(start, start + claimLength);
      const line =
        // `The answer is 30. Also …` begins no list.
        (match[0].includes('\n') ? itemsIn(rest) : null) ??
        firstLine(rest)
          .replace(/\s*\|\s*$/, '')
          .replace(setOff, '$1');
      const isPlainTalk = /\\{1,2}boxed/.test(line) || line === '';
      const sentence = withoutBeside(firstSentence(line));
      const [text] = match;
      const before = reply.slice(Math.max(0, match.index - 300), match.index);
      if (
        denial.test(sentence) ||
        isJudgement(text, sentence) ||
        isHypothetical(before, text) ||
        isOther(before, text, reply, start)
      )
        return [];
      const answer = isPlainTalk ? null : answerIn(sentence, text, form);
      if (!answer || !looksLikeAnswer(answer.text)) return [];
      return [{ place: 'marker' as const, ...answer, start: match.index, end: start + sentence.length }];
    });
}

/** `The answer is not 8`, `either 3 or 4`. */
const denial = /^\W*(?:not\s+[-$\\\d](?!.*\bbut\b)|either\b.*\bor\b)/i;

/** A sentence of words alone may decline, or say that there is nothing. */
function answerIn(sentence: string, text: string, form: Form) {
  const [, option] = /^[^\d\\$]*\((?:option|choice)\s+([A-J])\)\W*$/i.exec(sentence) ?? [];
  if (option) return { text: `(${option})`, isMath: false };
  const [, answer] =
    /^\W*(yes|no)\s*[,;:–—-]\s(?!.*\b(?:it|that|this)(?:['’]s| is) \d)/i.exec(sentence) ?? [];
  if (answer) return { text: answer, isMath: false };
  const [, letter] = /^\W*\(([A-J])\)\s+[^\d\\$]*$/.exec(sentence) ?? [];
  if (letter) return { text: `(${letter})`, isMath: false };
  const isSentence = sentence.trim().split(/\s+/).length > 3;
  const isValue = /^\W*\d|^[\s*]*[$\\]/.test(sentence);
  const declines = [sentence, text + sentence].some((each) => isRefusal(each, { isUnmarked: true }));
  if (declines && !isValue && !term.test(sentence)) return { text: sentence, isMath: false };
  const none = isSentence && !/[\d\\$=]/.test(sentence) ? nothingIn(sentence) : null;
  return none === null ? answerInLine(sentence, form) : { text: none, isMath: false };
}

/** `**x = 4**, as required.` */
const setOff = /^\**([^*\n]+)\*\*\s*[,;.(–—][^\d\\$*]*$/;

/** The items of a list, which is an answer in parts. */
function itemsIn(text: string): string | null {
  const [list] = /^(?:\s*(?:[-*•+]|(?<!\S)(?:1|(?<=\n\s*)\d+)[.)])[ \t]+[^\n]+(?:\n|$))+/.exec(text) ?? [];
  const items = (list ?? '')
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:[-*•+]|\d+[.)])[ \t]+/, '')
        .replace(/[.,;\s]+$/, '')
        .replaceAll('**', ''),
    )
    .filter((line) => line !== '');
  const isProse = items.some(
    (each) => each.length > 40 || (each.match(/(?<!\\)\b[a-z]{2,}\b/gi)?.length ?? 0) > 2,
  );
  return items.length === 0 || isProse ? null : items.join(', ');
}

/** Mathematics that is displayed goes over lines. */
function firstLine(text: string): string {
  const start = text.search(/\S/);
  if (start < 0) return '';
  // An answer of its own block.
  const rest = text.slice(start).replace(/^(?:(?:`{3,}\w*|(?:[-=*_~#—–][ \t]*){2,})\n\s*)+/, '');
  const display = /^(?:\$\$[\s\S]*?\$\$|\\\[[\s\S]*?\\\])/.exec(rest)?.[0];
  return display ?? rest.split('\n')[0]?.split('\\n')[0] ?? '';
}

/** A full stop ends it where another sentence begins; not the one in `$0.5$` or `e.g.`. */
function firstSentence(line: string): string {
  let isMath = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '$' && line[at - 1] !== '\\') isMath = !isMath;
    const isEnd = /[.!?…]/.test(line[at] ?? '') && /^\s+(?:[\p{Lu}\p{Lo}<]|$)/u.test(line.slice(at + 1));
    if (isEnd && !isMath && !/\b(?:Dr|Mr|Mrs|Ms|St|vs|a\.m|p\.m|No)$/.test(line.slice(0, at)))
      return line.slice(0, at);
  }
  return line;
}

/** A few words at the most, unless there is something to calculate with. */
function looksLikeAnswer(text: string): boolean {
  if (!/[^\s*_.=~#|—–-]/.test(text)) return false;
  return /[\d\\$]/.test(text) || text.split(/\s+/).length <= 4 || isName(text) || isRefusal(text);
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

/** Another answer than this one, or something else that is called after it: `a wrong answer is`, `if the answer is`, `answer choices are`. */
const others =
  /\b(?:each|every|any|no|another|wrong|incorrect|common|tempting|naive|earlier|previous|first|initial|original|other|possible|\w+['’]s?)\s+$|\b(?:if|whether|unless|suppose|supposing|assuming|assume)(?:\s+that)?\s+(?:(?:the|our|my|this|your|an?)\s+)?(?:final\s+|correct\s+)?$/i;
const named = /\banswers?\s+(?:choices?|options?|keys?|sheets?|questions?|formats?|forms?|boxe?s?|lines?)\b/i;
const ranges = /^\s*(?:between|in\s+the\s+(?:range|form)|given\s+(?:by|in)|supposed|expected)/i;

function isOther(before: string, text: string, reply: string, start: number): boolean {
  // `A: 10` ends a reply, and is no choice among `B: 12`.
  if (/^\**A\s*:/.test(text)) return /\n/.test(reply.slice(start).trim()) || /^\**[B-E]\s*[:.)]/m.test(reply);
  const isSentence = /\b(?:is|are|be)\b/i.test(text);
  return (
    (others.test(before + /^\s*/.exec(text)?.[0]) && isSentence) ||
    named.test(text) ||
    (isSentence && ranges.test(reply.slice(start, start + 40)))
  );
}

/** The text before it in the same sentence. */
function sentenceOf(before: string): string {
  const nearby = before.slice(-300);
  return nearby.slice(Math.max(nearby.lastIndexOf('\n'), nearby.search(/[.!?]\s[^.!?]*$/)) + 1);
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
  const isSupposed = ([first]: readonly Box[], at: number) =>
    /\b(?:would|could|might)\b/i.test(sentenceOf(reply.slice(groups[at - 1]?.at(-1)?.end, first?.start)));
  return groups
    .filter((group, at) => at === 0 || !isSupposed(group, at))
    .map((boxs) => ({
      place: 'box',
      text: [...new Set(boxs.map(({ content }) => content.trim()))].join(jointOf(reply, boxs)),
      isMath: true,
      start: boxs[0]?.start ?? 0,
      end: boxs.at(-1)?.end ?? 0,
    }));
}

function jointOf(reply: string, boxs: readonly Box[]): string {
  const isOr = boxs.some(({ end }, at) => /\bor\b/i.test(reply.slice(end, boxs[at + 1]?.start ?? end)));
  return isOr ? ' \\text{ or } ' : ' , ';
}

/** `\boxed{5` at the end of a reply that was cut off, or whose writer forgot a brace: where nothing inside is open. */
export function unclosedBox(reply: string): readonly Candidate[] {
  const [match] = [...reply.matchAll(opening)].slice(-1);
  if (!match || reply[match.index + match[0].length] !== '{') return [];
  const start = match.index + match[0].length + 1;
  const [line = ''] = reply.slice(start, start + 200).split('\n');
  const content = line.replace(/(?:\$|\\[\])])*[.\s]*$/, '').replace(/[.\s$]+$/, '');
  const isComplete = content !== '' && !/\\(?:[a-zA-Z]+)?$|[-+*/^_=(,&]$/.test(content);
  if (!isComplete || closing(`{${content}}`, 0) !== content.length + 2) return [];
  return [{ place: 'box', text: content, isMath: true, start: match.index, end: start + content.length }];
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

/** Only signs, "and", "or" and a name with its "=" stand between parts of one answer. */
function areJoined(between: string): boolean {
  const bare = between.replaceAll(/\\(?:text|mbox|quad|qquad|[()[\]{},;: ])|[${}\s]+/g, ' ');
  const isPart =
    /^[ ,;.*+]*(?:\p{L}{1,12} )?(?:\b(?:and|or)\b)?[ ,:*]*(?:(?:\p{L}|\\[a-z]+)[_\d']{0,3} ?= ?)?$/u.test(
      bare,
    );
  return isPart && !/\n\s*\n|\\\\/.test(between);
}
