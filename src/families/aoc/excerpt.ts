/** Long texts cut for a model, with the number of bytes that are missing. Pure. */

export type CutText = { readonly text: string; readonly cutBytes: number };

/** Keeps the head and the tail. `totalBytes` is more than the text has where something was dropped before. */
export function cutMiddle(text: string, keepCharacters: number, totalBytes = byteLength(text)): CutText {
  if (text.length <= keepCharacters) {
    const cutBytes = Math.max(0, totalBytes - byteLength(text));
    return {
      text: cutBytes > 0 ? `${text}\n[${cutBytes} bytes in the middle were dropped]` : text,
      cutBytes,
    };
  }
  const tailLength = Math.floor(keepCharacters / 3);
  const head = wholeCharacters(text.slice(0, keepCharacters - tailLength));
  const tail = tailLength > 0 ? wholeCharacters(text.slice(-tailLength)) : '';
  const cutBytes = Math.max(totalBytes, byteLength(text)) - byteLength(head) - byteLength(tail);
  return { text: `${head}\n[… ${cutBytes} bytes cut …]\n${tail}`, cutBytes };
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A cut may go through a character of two code units: the halves are dropped. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}
