/** Long texts cut for a model, with the number of bytes that are missing. Pure. */

export type CutText = { readonly text: string; readonly cutBytes: number };

/** Keeps the head and the tail. `totalBytes` is more than the text has where something was dropped before. */
export function cutMiddle(text: string, keepCharacters: number, totalBytes = byteLength(text)): CutText {
  if (text.length <= keepCharacters) {
    const cutBytes = Math.max(0, totalBytes - byteLength(text));
    const note = cutBytes > 0 ? `\n[${cutBytes} bytes in the middle were dropped]` : '';
    return { text: text + note, cutBytes };
  }
  const tailLength = Math.floor(keepCharacters / 3);
  const head = trimToLines(trimToCharacters(text.slice(0, keepCharacters - tailLength)), 'head');
  const tail = tailLength > 0 ? trimToLines(trimToCharacters(text.slice(-tailLength)), 'tail') : '';
  const cutBytes = Math.max(totalBytes, byteLength(text)) - byteLength(head) - byteLength(tail);
  return { text: `${head}\n[… ${cutBytes} bytes cut …]\n${tail}`, cutBytes };
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A cut may go through a character of two code units: the halves are dropped. */
function trimToCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}

/** Half a line looks like a whole one of another form, so it is dropped, unless little would be left. */
function trimToLines(text: string, side: 'head' | 'tail'): string {
  const whole =
    side === 'head'
      ? text.slice(0, text.lastIndexOf('\n') + 1).trimEnd()
      : text.slice(text.indexOf('\n') + 1);
  return whole.length * 2 >= text.length ? whole : text;
}
