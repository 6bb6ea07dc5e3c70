/**
 * Open models that are known to read text alone, under whichever provider's name. What nobody is sure of is taken to see:
 * its provider says so itself, and a picture that is refused there costs nothing. Pure.
 */
const blind: readonly RegExp[] = [
  /\bdeepseek-?(r1|v[23]|chat|coder|reasoner)/,
  /\bgpt-(3\.5|oss)/,
  /\bo[13]-mini/,
  /\bgemma-?2\b/,
  /\bllama-?3(\.[13])?[-:]/,
  /\b(mixtral|codestral|qwq)\b/,
  /\bmistral-7b/,
  /\bqwen[\d.]*-coder/,
];

/** What others have taught to see says so. */
const seeing = /vision|llava|\bvl\b|multimodal|omni/;

export function isBlind(name: string): boolean {
  const lower = name.toLowerCase();
  return !seeing.test(lower) && blind.some((pattern) => pattern.test(lower));
}
