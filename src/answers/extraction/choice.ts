/** The letter that a text chooses. */

const patterns: readonly RegExp[] = [
  /^\s*(?:[({[]\s*)?([A-J])\s*(?:[)}\]]\s*)?(?:[.:,)]|$|(?<=\s)-|(?<=\s)(?=[A-Z\d$\\(]))/,
  /\\text(?:bf|rm)?\{\s*(?:\(\s*)?([A-J])\s*(?:\)\s*)?\}/,
  /\((?:\\text\w*\{)?\s*([A-J])\s*\}?\)/,
  /\b(?:option|choice|answer)\s*(?::\s*)?\(?([A-J])\b\)?/i,
  /^\s*\(([a-j])\)/,
  /\b(?:choose|chose|pick|select)\s+\(?([A-J])\b\)?/,
  /\b([A-J])\s+is\s+(?:the\s+)?(?:correct|right)\b/,
  /^\s*([A-J])\s+is\b/,
  /\bis\s+\(?([A-J])\)?\s*(?:[.!]\s*)?$/,
];

export function choiceLetter(text: string): string | null {
  const plain = text.replaceAll(/\*\*|\$/g, '');
  for (const pattern of patterns) {
    const letter = pattern.exec(plain)?.[1];
    if (letter) return letter.toUpperCase();
  }
  return null;
}
