/** A button that copies, and says that it did. */
import { useState } from 'preact/hooks';

export function CopyButton({ words }: { readonly words: string }) {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(words);
    setCopied(words);
  };
  return (
    <button type="button" onClick={copy}>
      {copied === words ? 'Copied' : 'Copy'}
    </button>
  );
}

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
