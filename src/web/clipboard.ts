/** The clipboard of the browser, which may refuse: a page without the focus, or a user who does not allow it. */

export const notCopied =
  'Your browser did not let this page write to the clipboard: select the text and copy it.';

/** False where nothing was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
