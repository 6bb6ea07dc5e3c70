/** Bytes as the text that they are, without the mark that editors of Windows begin files with. */

/** Null where they are no UTF-8: Shift JIS would come out as boxes. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
