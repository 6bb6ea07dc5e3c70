/** Says why a text that should be a JSON object is none, for the model that wrote it. Pure; one pass over the text. */

/** The rest of a sentence; `text` begins at the brace of the object. */
export function describeJsonError(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0) break;
    if (sign !== '"') continue;
    const end = endOfString(text, at + 1);
    const shown = JSON.stringify(text.slice(at + 1, at + 21).toWellFormed());
    if (end === null) return `the string that begins with ${shown} does not end`;
    const next = /\S/.exec(text.slice(end + 1, end + 200))?.[0] ?? '';
    if (!/^[,:}\]]?$/.test(next))
      return `in the string that begins with ${shown} a quotation mark is not escaped (write \\"), or a comma is missing behind it`;
    at = end;
  }
  if (depth > 0)
    return `${depth === 1 ? 'a closing brace is' : `${depth} closing braces are`} missing at its end`;
  return 'it is no JSON object';
}

/** Where the string ends whose text begins at `start`; null where it does not. */
function endOfString(text: string, start: number): number | null {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return null;
}
