/**
 * What is said of an answer, and is none: that it is right, plausible or the same as before, and what it would be if the
 * question were another one. Pure.
 */

const judgement =
  /^(?:(?:also|indeed|not|quite|very|clearly|certainly|therefore|thus|now|then|\w{1,20}ly)\s+){0,3}(?:correct|right|wrong|incorrect|consistent|compatible|plausible|reasonable|sensible|valid|invalid|unique|unchanged|verified|confirmed|as\s+expected|in\s+agreement|in\s+line\s+with|the\s+same\s+as|too\s+(?:large|small|big|high|low))\b/i;

/** Only where the marker is a sentence about the answer: `Answer: wrong` may well be one. */
export function isJudgement(marker: string, text: string): boolean {
  return /\b(?:is|are|be)\b/i.test(marker) && judgement.test(text.trim());
}

const condition = /\b(?:if|had|were|unless|suppose|supposing|otherwise|instead|without)\b/i;
const conditional = /\b(?:would|could|might|should)\b/i;

/** `Note: if order mattered, the answer would be 14`; not `So the answer would be 14`. */
export function isHypothetical(before: string, marker: string): boolean {
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
