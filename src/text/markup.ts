/** Text as it stands in HTML, SVG and XML: whatever it says, it is shown and not obeyed. */
import { escapeControls } from './format.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For content and for quoted attributes. What XML cannot hold at all becomes U+FFFD. */
export function renderMarkup(text: string): string {
  const whole = escapeControls(text)
    .toWellFormed()
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd');
  return whole.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Of a link that somebody else wrote: it leads to a page, a mailbox or a place beside the document, and runs nothing. */
export function isSafeUrl(address: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers leave them out of an address.
  const scheme = /^([^/?#]*?):/.exec(address.replaceAll(/[\x00-\x20\x7f]/g, ''))?.[1];
  return scheme === undefined || /^(?:https?|mailto)$/i.test(scheme);
}
