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
