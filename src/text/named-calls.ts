/**
 * Tool calls in forms that only the name of a tool marks: tags (`<SubmitAnswer><answer>42</answer></SubmitAnswer>`), calls as
 * Python has them, and `Action:` with `Action Input:`. Pure; linear in the length of the text.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { codeBlocks } from './code-blocks.ts';
import { modelJson, plainJson } from './model-json.ts';
import { PythonArguments } from './python-arguments.ts';
import { findTool, type KnownTool } from './tool-names.ts';

type NamedCall = { readonly name: string; readonly args: JsonObject | null; readonly why?: string };

/** Calls that cannot be read cost a look at the rest of the text: this many of a form, and no more. */
const maxFaults = 3;

export function namedCallsIn(text: string, tools: readonly KnownTool[]): readonly NamedCall[] {
  if (tools.length === 0) return [];
  for (const read of [parseTaggedCalls, actionCalls, pythonCalls]) {
    const calls = read(text, tools);
    if (calls.length > 0) return calls;
  }
  return [];
}

function parseTaggedCalls(text: string, tools: readonly KnownTool[]): NamedCall[] {
  const calls: NamedCall[] = [];
  const openings = /<([A-Za-z][\w.-]{0,99})[ \t]{0,9}(\/?)>/g;
  let issueCount = 0;
  for (let found = openings.exec(text); found && issueCount < maxFaults; found = openings.exec(text)) {
    const [, tag = '', isClosed] = found;
    const tool = findTool(tools, tag);
    if (!tool) continue;
    const end = isClosed ? openings.lastIndex : text.indexOf(`</${tag}>`, openings.lastIndex);
    if (end < 0) {
      issueCount += 1;
      calls.push({ name: tool.name, args: null, why: `\`</${tag}>\` is missing behind it` });
      continue;
    }
    const args = argsBetween(text.slice(openings.lastIndex, end), tool);
    calls.push({
      name: tool.name,
      args,
      why: args ? undefined : `between <${tag}> and </${tag}> are no arguments`,
    });
    openings.lastIndex = end;
  }
  return calls;
}

/** Tags, one for each parameter; else a JSON object, or the one parameter that is required. */
function argsBetween(inside: string, tool: KnownTool): JsonObject | null {
  const args: Record<string, Json> = {};
  const openings = /\s*<([A-Za-z][\w.-]{0,99})>/y;
  let at = 0;
  for (let found = openings.exec(inside); found; found = openings.exec(inside)) {
    const [, name = ''] = found;
    const end = inside.indexOf(`</${name}>`, openings.lastIndex);
    if (end < 0) break;
    const value = inside
      .slice(openings.lastIndex, end)
      .replace(/^\r?\n/, '')
      .replace(/\r?\n$/, '');
    const [before] = [args[name]];
    args[name] = before === undefined ? listOrText(value) : [before, value].flat();
    at = end + name.length + 3;
    openings.lastIndex = at;
  }
  if (at > 0 && inside.slice(at).trim() === '') return args;
  return at > 0 ? null : argsInText(inside, tool);
}

/** A text that looks like a number stays one: a tool reads it as it needs it. */
const listOrText = (text: string): Json => (/^\s*[[{]/.test(text) ? (plainJson(text) ?? text) : text);

/** A JSON object, in a fence or not; nothing; or the one parameter that is required. Null for anything else. */
function argsInText(text: string, tool: KnownTool): JsonObject | null {
  const [block, ...siblings] = codeBlocks(text);
  const inner = (block?.isClosed && siblings.length === 0 ? block.code : text).trim();
  const read = modelJson(inner);
  if (isJsonObject(read)) return read;
  const [only, second] = tool.required;
  if (inner === '' || /^(?:none|null|\{\})$/i.test(inner)) return only === undefined ? {} : null;
  return only === undefined || second !== undefined || inner.startsWith('{') ? null : { [only]: inner };
}

function actionCalls(text: string, tools: readonly KnownTool[]): NamedCall[] {
  const calls: NamedCall[] = [];
  const actions =
    /(?:^|\n)[ \t>*]{0,9}Action[ \t*]{0,9}:[ \t*`]{0,9}([\w.-]{1,100})[`*]{0,9}[ \t]*(?=\n|$)/gi;
  for (let found = actions.exec(text); found && calls.length <= maxFaults; found = actions.exec(text)) {
    const tool = findTool(tools, found[1] ?? '');
    if (!tool) continue;
    const suffix = text.slice(actions.lastIndex);
    const input = /^\s{0,40}[*]{0,9}Action[ _]Input[ \t*]{0,9}:[*]{0,9}/i.exec(suffix);
    const rest = input ? suffix.slice(input[0].length) : '';
    const end = /\n[ \t>*]{0,9}(?:Observation|Thought|Action|Final Answer)[ \t*]{0,9}:/i.exec(rest)?.index;
    const args = argsInText(rest.slice(0, end), tool);
    calls.push({ name: tool.name, args, why: args ? undefined : 'its `Action Input:` holds no arguments' });
  }
  return calls;
}

/** `SubmitAnswer(answer="42")`, on a line of its own, or a list of such calls (Llama 4); in a fence also one whose arguments cannot be read. */
function pythonCalls(text: string, tools: readonly KnownTool[]): NamedCall[] {
  const calls: NamedCall[] = [];
  const blocks = codeBlocks(text);
  const openings =
    /(?:(?:^|\n)[ \t>]*(?:\[[ \t]*)?|(?<=\))[ \t]*,[ \t]*)(?:print\([ \t]*)?(?:\w{1,40}[ \t]*=[ \t]*)?(?:await[ \t]+)?`?([A-Za-z][\w.]{0,99})\(/g;
  let issueCount = 0;
  for (let found = openings.exec(text); found && issueCount < maxFaults; found = openings.exec(text)) {
    const tool = findTool(tools, found[1] ?? '');
    if (!tool) continue;
    const read = new PythonArguments(text, openings.lastIndex).read(tool);
    const isSingle =
      read.end !== null &&
      /^[)\]`; \t]*(?:(?:#[^\n]*)?(?:\n|$)|,[ \t]*[A-Za-z][\w.]{0,99}\()/.test(
        text.slice(read.end, read.end + 500),
      );
    const { index } = found;
    const isInBlock = blocks.some(({ start, end }) => start <= index && index < end);
    if (read.args && isSingle) calls.push({ name: tool.name, args: read.args });
    else if (isInBlock)
      calls.push({ name: tool.name, args: null, why: read.why ?? 'other code stands behind it' });
    if (!read.args) issueCount += 1;
    if (read.end !== null) openings.lastIndex = read.end;
  }
  return calls;
}
