/** A text of any length as one short line, for prompts and lists. Pure. */
const lineCharacters = 240;

export function line(text: string, most = lineCharacters): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length <= most ? flat : `${flat.slice(0, most - 1).toWellFormed()}…`;
}
