/** Programs in what models write: fenced blocks, closed or cut off, indented or not. Pure. */
import { isJsonObject } from '../core/json.ts';
import { jsonInReply, withoutEntities, withoutThoughts } from './model-json.ts';

type CodeBlock = {
  /** The language in the fence, in lower case; empty if there is none. */
  readonly language: string;
  readonly code: string;
  /** False where the text ends before the block does. */
  readonly isClosed: boolean;
  /** Where the block begins in the text, and ends, fences included. */
  readonly start: number;
  readonly end: number;
};

const opening = /^(?<indent>[ \t>]*)(?<fence>`{3,}(?!`)|~{3,}(?!~))[ \t]*(?<language>[\w+#.-]*)[^\n`]*$/;
/** A fence directly behind a sentence. */
const glued = /[^\s`~](?<fence>`{3,}|~{3,})(?<language>[\w+#.-]*)$/;

/** Of a longer fence around text that begins with a fence of its own, the blocks in it. */
export const codeBlocks = (text: string): readonly CodeBlock[] =>
  outerBlocks(text).flatMap((block) => {
    const { language, code, start, end } = block;
    const isText = /^(?:markdown|md|text|)$/.test(language) && /^\s*[`~]{3,}/.test(code);
    return isText ? outerBlocks(code).map((each) => ({ ...each, start, end })) : [block];
  });

/**
 * Of several programs in a reply the one that is meant: the last, for drafts stand before it; but no snippet behind a longer
 * one, and none that is `known` already, such as the old program for comparison.
 */
export function selectProgram(programs: readonly string[], known: string | null = null): string | undefined {
  const maxLength = Math.max(...programs.map(({ length }) => length));
  const complete = programs.filter(({ length }) => length > maxLength / 2);
  const isKnown = (program: string) => unspaced(program) === unspaced(known ?? '');
  return complete.findLast((program) => !isKnown(program)) ?? complete.at(-1);
}

const unspaced = (text: string): string => text.replaceAll(/\s+/g, '');

function outerBlocks(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; indent: string; language: string; start: number; lines: string[] } | null = null;
  let at = 0;
  for (const line of text.split('\n')) {
    const next = at + line.length + 1;
    const code = open && codeBeforeFence(line, open.fence);
    if (open && code) open.lines.push(code);
    if (open && (code || isClosingFence(line, open.fence))) {
      blocks.push({ ...blockOf(open), isClosed: true, end: Math.min(next, text.length) });
      open = null;
    } else if (open) {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    } else {
      const bare = line.trimEnd();
      const { indent = '', fence, language = '' } = (opening.exec(bare) ?? glued.exec(bare))?.groups ?? {};
      if (fence) open = { fence, indent, language: language.toLowerCase(), start: at, lines: [] };
    }
    at = next;
  }
  if (open) blocks.push({ ...blockOf(open), isClosed: false, end: text.length });
  return blocks;
}

/**
 * The Python program of a reply: of several blocks the last that says so, else the last that says nothing, else one that
 * prints; without blocks, what stands in tags, in a field of JSON, or as plain lines that hold no prose.
 */
export function pythonIn(text: string): CodeBlock | null {
  const said = text.slice(text.lastIndexOf('<|message|>') + 1);
  const blocks = codeBlocks(withoutThoughts(said)).filter(({ code }) => code.trim() !== '');
  const isNameless = ({ language }: CodeBlock) => language === '';
  const block = blocks.findLast(isPython) ?? blocks.findLast(isNameless) ?? blocks.findLast(isPrinting);
  if (block || blocks.length > 0) return block ?? null;
  const code = removeFence(said);
  return code === null ? null : { language: '', code, isClosed: true, start: 0, end: text.length };
}

function removeFence(text: string): string | null {
  const tagged = firstLabeledBlock(text);
  const value = tagged === null ? jsonInReply(text) : null;
  const field = isJsonObject(value) ? (value.program ?? value.code) : null;
  if (tagged !== null || typeof field === 'string') return tagged ?? String(field);
  const [, inline] = /^\s*`([^`\n]+)`\s*$/.exec(text) ?? [];
  const lines = (inline ?? text).split('\n');
  const start = lines.findIndex((line) => statement.test(line));
  const program = lines.slice(start);
  return start < 0 || !/\bprint\(/.test(program.join('\n')) || program.some((line) => sentence.test(line))
    ? null
    : program.join('\n');
}

/** One pattern for both tags would look for an end from each beginning. */
function firstLabeledBlock(text: string): string | null {
  const open = /<(?:code|python)\b[^<>]*>\n?/.exec(text);
  if (!open) return null;
  const inside = text.slice(open.index + open[0].length);
  const end = inside.search(/<\/(?:code|python)>/);
  return end < 0 ? null : inside.slice(0, end);
}

const statement =
  /^(?:import \w|from [\w.]+ import |def \w+\(|class \w|for \w+.* in .*:|print\(|[a-z_]\w*(?:, *[a-z_]\w*)* = )/;
const sentence = /^\s*[A-Z][a-z']*(?: [\w',-]+){2,}[.!:]?\s*$/;

/** The first such block: what a model writes behind its first action, it has not seen yet. */
export function firstPythonIn(text: string): CodeBlock | null {
  const blocks = codeBlocks(text).filter(({ code }) => code.trim() !== '');
  return blocks.find(isPython) ?? blocks.find(({ language }) => language === '') ?? null;
}

const isPython = ({ language }: CodeBlock): boolean =>
  /^(py|python|python3|ipython|tool_code)$/.test(language);

const isPrinting = ({ code }: CodeBlock): boolean => /^\s*print\(/m.test(code);

/** Of a line that ends in the closing fence, right behind the last sign of the code; null for others. */
function codeBeforeFence(line: string, fence: string): string | null {
  const bare = line.trimEnd();
  const code = bare.slice(0, -fence.length);
  return bare.endsWith(fence) && /[^\s`~]$/.test(code) && !code.includes(fence) ? code : null;
}

/** Also with a sentence right behind it. */
function isClosingFence(line: string, fence: string): boolean {
  const bare = line.replace(/^[ \t>]+/, '').trimEnd();
  const rest = bare.slice(fence.length);
  if (bare.startsWith(fence) && /^[^\s`~].*(?: |[^ -~])/.test(rest)) return true;
  return bare.length >= fence.length && [...bare].every((sign) => sign === fence[0]);
}

function blockOf({ language, start, lines }: { language: string; start: number; lines: string[] }) {
  const code = lines.join('\n');
  return { language, start, code: isEscaped(code) ? withoutEntities(code) : code };
}

/** Whether an entity of HTML stands where no string does; behind an equals sign it is the address of a variable. */
export const isEscaped = (code: string): boolean =>
  /^[^"'`\n\r\u2028\u2029]*(?<![=(,&] ?)&(?:lt|gt|amp);/m.test(code);
