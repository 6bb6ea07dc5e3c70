/** Lines for a terminal that is narrower than they are: broken at blanks, so that ids, paths and addresses stay whole. Pure. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours, which take no room.
const colour = /\x1b\[[\d;]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor, as the picture of a status does.
const moving = /\r|\x1b\[(?![\d;]*m)/;
/** East Asian characters and emoji are two columns wide. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu;

export function widthOf(text: string): number {
  const shown = text.replaceAll(colour, '');
  return [...shown].length + (shown.match(wide)?.length ?? 0);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour sequence begins with ESC and is kept in one piece.
const characters = /\x1b\[[\d;]*m|./gsu;

/** Its beginning, where it is wider than there are columns. */
export function fitToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let output = '';
  for (const [character] of text.matchAll(characters)) {
    if (widthOf(output + character) >= columns) break;
    output += character;
  }
  return `${output}…`;
}

/** As `padEnd`, by columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** Before blanks, and between the signs of languages that write none; what ends a clause begins no line. */
const breaks =
  /(?<=\S)(?=\s)|(?<=[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff60])(?=[\u3041-\u30fb\u3400-\u9fff\uac00-\ud7a3])/;

/** Lines of at most so many columns; those after the first begin with `indent`. A word stays whole, however long it is. */
export function wrapWords(text: string, columns: number, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of text.trimStart().split(breaks)) {
    if (line !== '' && widthOf(line) + widthOf(part) > columns) {
      lines.push(line);
      line = indent + part.trimStart();
    } else line += part;
  }
  return [...lines, line];
}

/** `command`: the beginning of a line that is to be typed, which goes on after a backslash. */
export function wrapped(text: string, columns: number, command?: RegExp): string {
  return text
    .split('\n')
    .map((line) => (widthOf(line) > columns && !moving.test(line) ? wrapLine(line, columns, command) : line))
    .join('\n');
}

function wrapLine(line: string, columns: number, command?: RegExp): string {
  const isCommand = command?.test(line) ?? false;
  const [margin = ''] = /^ */.exec(line) ?? [];
  // Behind a column of names, the text continues in its own column.
  const [names = ''] = /^ *\S+(?: \S+)* {2,}(?=\S)/.exec(line) ?? [];
  const isAdjacent = !isCommand && names !== '' && widthOf(names) < columns / 2;
  const indent = isCommand ? `${margin}    ` : isAdjacent ? ' '.repeat(widthOf(names)) : margin;
  const capacity = isCommand ? columns - 2 : columns;
  const lines: string[] = [];
  const body = line.slice(margin.length);
  let output = margin;
  let isEmpty = true;
  for (const part of body.split(breaks)) {
    const fits = widthOf(output) + widthOf(part) <= capacity;
    if (fits || isEmpty) output += part;
    else {
      lines.push(output);
      output = indent + part.trimStart();
    }
    isEmpty = false;
  }
  return [...lines, output].join(isCommand ? ' \\\n' : '\n');
}
