/** `5 million` is a number, and no 5 of something: words for large numbers go into the digits before them. */

const zeros: Readonly<Record<string, number>> = { thousand: 3, million: 6, billion: 9, trillion: 12 };
const scaled =
  /(?<![\d.,^_{])(\d{1,3}(?:,\d{3})+|\d{1,30})(?:\.(\d{1,30}))?(\s*(?:-\s*)?(?:\\text(?:rm)?\s*\{\s*)?)(thousand|million|billion|trillion|dozen)s?\b/gi;

export function withoutScaleWords(text: string): string {
  return text
    .replaceAll(scaled, (found, before: string, after = '', gap: string, word: string) => {
      const digits = scaledDigits(before.replaceAll(',', ''), after, word.toLowerCase());
      return digits === null ? found : `${digits}${gap.replace('-', ' ')}`;
    })
    .replaceAll(/\\text(?:rm)?\s*\{\s*\}/g, ' ');
}

function scaledDigits(before: string, after: string, word: string): string | null {
  if (word === 'dozen') return after === '' ? String(BigInt(before) * 12n) : null;
  const places = zeros[word] ?? 0;
  const moved = before + after.slice(0, places).padEnd(places, '0');
  const rest = after.slice(places);
  return rest === '' ? moved : `${moved}.${rest}`;
}
