/** Reads a program from a reply: SEARCH/REPLACE blocks that are applied to a base, edits in JSON, or a whole program. */
import { cutFeedback } from '../../../core/cut-off.ts';
import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import { codeBlocks, isEscaped, selectProgram } from '../../../text/code-blocks.ts';
import { jsonInReply, withoutEntities, withoutThoughts } from '../../../text/model-json.ts';
import type { Reply } from '../asking.ts';
import { applyBlocks, type EditResult, rejectOmissions } from './blocks.ts';
import { type Block, blocksIn, linesOf } from './blocks-in-reply.ts';

/** Blocks where there are any; a model that wrote the whole program instead of blocks has answered as well. */
export function readProposal(
  reply: Pick<Reply, 'text' | 'finish' | 'rawFinish'>,
  base: string | null,
  known: string | null = base,
): EditResult {
  const { text, finish } = reply;
  const cut = cutFeedback(reply);
  if (cut !== null) return { source: null, trouble: cut };
  const said = normalizeSigns(text, base ?? '');
  const isObject = /^[^{]{0,400}\{\s*["'\w]+\s*:/.test(said);
  const value = isObject ? jsonInReply(said) : null;
  const object = isJsonObject(value) ? value : {};
  const program = object.program ?? object.code ?? object.source;
  if (typeof program === 'string') return readProposal({ text: asFenced(program), finish }, base, known);
  if (base === null) {
    const editResult = extractProgram(said, known);
    if (known === null || (editResult.source !== null && isProgram(editResult.source)))
      return rejectOmissions(editResult, '');
    // Blocks in the place of the program that was asked for: taken where they fit what was shown.
    const changes = blocksIn(said) ?? [];
    const changed = changes.length > 0 ? rejectOmissions(applyBlocks(known, changes), known) : editResult;
    return changed.source === null ? editResult : changed;
  }
  const edits = parseEdits(object);
  const blocks = edits.length > 0 ? edits : blocksIn(said);
  if (blocks === null)
    return { source: null, trouble: 'A SEARCH/REPLACE block is begun and not ended: its end is missing.' };
  const [first] = blocks;
  const inserted = first?.search.join('').trim() === '' ? first.replace.join('\n') : '';
  if (blocks.length === 1 && isProgram(inserted)) return { source: withEnd(inserted) };
  if (blocks.length > 0) return rejectOmissions(applyBlocks(base, blocks), base);
  const whole = extractProgram(said, base);
  const source = whole.source ?? '';
  const isLong = source.length > base.length * leastOfWhole;
  if (isProgram(source) || (isLong && !isProgram(base))) return rejectOmissions(whole, base);
  return whole.source === null && whole.trouble === cutProgram ? whole : applyBlocks(base, []);
}

/** Without entities of HTML, spaces of other widths and marks without any, unless the program has them. */
function normalizeSigns(text: string, base: string): string {
  const said = isEscaped(text) && !isEscaped(base) ? withoutEntities(text) : text;
  if (/[\u00a0\u200b\u202f\u3000\ufeff]/.test(base)) return said;
  return said.replaceAll(/[\u200b\ufeff]/g, '').replaceAll(/[\u00a0\u202f\u3000]/g, ' ');
}

const asFenced = (code: string): string => (/^\s*[`~]{3}/m.test(code) ? code : `\`\`\`\n${code}\n\`\`\``);

/** Of an object, one change or a list of them; all of them or none. */
function parseEdits(object: JsonObject): readonly Block[] {
  const list = [object.edits, object.changes, object.blocks].find(Array.isArray) ?? [object];
  const blocks = list.filter(isJsonObject).flatMap((each) => {
    const search = each.search ?? each.old_str ?? each.old_string ?? each.old;
    const replace = each.replace ?? each.new_str ?? each.new_string ?? each.new;
    const isEdit = typeof search === 'string' && typeof replace === 'string';
    return isEdit ? [{ search: linesOf(search), replace: linesOf(replace) }] : [];
  });
  return blocks.length === list.length ? blocks : [];
}

/** A shorter block of code is an example, and no program, unless it looks like one. */
const leastOfWhole = 0.4;

const isProgram = (code: string): boolean =>
  /^[ \t]*#[ \t]*include\b/m.test(code) && /\bmain\s*\(/.test(code);

const cutProgram = 'The reply ends before its program does. Write a shorter one.';

/** The longest block that is closed, because models quote pieces; of several programs the one that is meant. */
export function extractProgram(text: string, base: string | null = null): EditResult {
  const said = withoutThoughts(text);
  const blocks = codeBlocks(said).filter(({ code }) => code.trim() !== '');
  const closed = blocks.filter(({ isClosed }) => isClosed);
  const codeBlock = closed.toSorted((a, b) => b.code.length - a.code.length)[0];
  const open = blocks.find(({ isClosed }) => !isClosed);
  if (open && open.code.length > (codeBlock?.code.length ?? 0)) {
    // A fence that was forgotten at the very end is no loss.
    if (hasEnd(open.code)) return { source: withEnd(open.code) };
    return { source: null, trouble: cutProgram };
  }
  if (codeBlock) {
    const programs = closed.map(({ code }) => code).filter(isProgram);
    const isLong = programs.some(({ length }) => length > codeBlock.code.length / 2);
    return { source: withEnd((isLong ? selectProgram(programs, base) : null) ?? codeBlock.code) };
  }
  const bare = blocks.length > 0 ? '' : bareProgram(said);
  if (isProgram(bare)) return { source: withEnd(bare) };
  const error = 'There is no program in the reply: write it whole, in one fenced block of code.';
  return { source: null, trouble: error };
}

/** Without a fence: from the first `#include` to the last line that closes a brace at the margin. */
function bareProgram(text: string): string {
  const lines = linesOf(text);
  const start = lines.findIndex((line) => /^#[ \t]*include\b/.test(line));
  return start < 0
    ? ''
    : lines.slice(start, lines.findLastIndex((line) => line.startsWith('}')) + 1).join('\n');
}

/** It ends with a brace at the margin, or all of its braces are closed. */
const hasEnd = (code: string): boolean =>
  linesOf(code.trimEnd()).at(-1)?.startsWith('}') || code.split('{').length === code.split('}').length;

const withEnd = (code: string): string => `${code.trimEnd()}\n`;
