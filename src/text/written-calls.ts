/**
 * Tool calls that a model wrote into its text, in the forms of common chat templates: Hermes and Qwen, Llama, Mistral,
 * DeepSeek, Kimi, Granite, GLM, gpt-oss, and JSON in a fence or alone, and in forms that the
 * names of the tools mark (`named-calls.ts`). Pure; linear in the length of the text; it carries nothing out.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { describeJsonError } from './json-faults.ts';
import { endOfObject, modelJson, plainJson, withoutThoughts } from './model-json.ts';
import { namedCallsIn } from './named-calls.ts';
import { findTool, type KnownTool } from './tool-names.ts';

/**
 * `args` is null where they cannot be read, or do not end; `why` then says what is wrong with them. `isMarked`: it stands in a
 * form that is a call and nothing else.
 */
export type WrittenCall = {
  readonly name: string;
  readonly args: JsonObject | null;
  readonly why?: string;
  readonly isMarked: boolean;
};

/** In the order of the text; what stands in thoughts is none. More forms are read of `tools`, whose names are known. */
export function parseWrittenCalls(text: string, tools: readonly KnownTool[] = []): readonly WrittenCall[] {
  // Gemma 4 writes strings between tokens of its own.
  const written = withoutThoughts(text).replaceAll(/<\|"\|>([\s\S]*?)<\|"\|>/g, (_, inner: string) =>
    JSON.stringify(inner),
  );
  const calls = new CallReader(written, tools).read(beginnings);
  if (calls.length > 0) return calls;
  const named = namedCallsIn(written, tools).map((call) => ({ ...call, isMarked: false }));
  if (named.length > 0 || tools.length === 0) return named;
  return new CallReader(written, tools).read(inProse).filter(({ name }) => findTool(tools, name));
}

/** Whether a text holds a call of one of these tools, or any marked as such. */
export function containsWrittenCall(text: string, tools: readonly KnownTool[]): boolean {
  return parseWrittenCalls(text, tools).some(({ name, isMarked }) => isMarked || findTool(tools, name));
}

/** Where a call may begin. A name that the form itself gives is the group that is set. */
const beginnings = new RegExp(
  [
    String.raw`<\|?tool_call\|?>(?:\s*call:(?<gemma>[\w.-]{1,100}))?`,
    String.raw`<\|?tool_calls?_begin\|?>(?:\s*functions\.(?<kimi>[\w.-]{1,100}):\d{1,9})?`,
    String.raw`<\|tool_call_begin\|>\s*(?:functions\.)?(?<kimiCall>[\w.-]{1,100})(?::\d{1,9})?`,
    String.raw`<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?\s*(?<deepseek>[\w.-]{1,100})`,
    String.raw`\[TOOL_CALLS\](?:\s*(?<mistral>[\w.-]{1,100}))?`,
    String.raw`<function=(?<llama>[\w.-]{1,100})>`,
    String.raw`<(?:｜DSML｜)?invoke name="(?<invoke>[\w.-]{1,100})">`,
    String.raw`<\|python_tag\|>`,
    String.raw`to=functions\.(?<harmony>[\w.-]{1,100})`,
    // Of JSON alone: at the beginning of a line, or behind a fence.
    String.raw`(?<json>(?:^|\n)[ \t>]*(?:(?:${'`'}{3,}|~{3,})[ \t]*(?:\w{1,20}[ \t]*)?\r?\n\s{0,40})?(?=(?:\[\s{0,40})?\{\s{0,40}["'“„]))`,
  ].join('|'),
  'g',
);

/** Of JSON within a sentence, only what calls a known tool is a call. */
const inProse = /(?<json>(?=\{\s{0,40}["'“„]))/g;

/** What may stand between the beginning of a call and its arguments. */
const fillers =
  /(?:\s|<｜tool▁sep｜>|<\|tool_call_argument_begin\|>|\[ARGS\]|\[CALL_ID\]\w{0,40}|<\|constrain\|>\w{0,20}|<\|message\|>|json\b|function\b|[`~]{3,}\w{0,20}|[[,])*/y;
const gluedName = /([\w.-]{1,100})\s*(?=<arg_key>)/y;
const parameters = /\s*<(?:(?:｜DSML｜)?parameter(?:=| name=")([\w.-]{1,100})[^>\n]{0,40}|arg_key)>/y;

/** An object that does not end is looked for to the end of the text: this often, and no more. */
const maxUnended = 3;
/** So many objects are read, and so many that are no JSON repaired: no model means more. */
const [maxObjects, maxRepairs] = [200, 10];

class CallReader {
  readonly #text: string;
  readonly #tools: readonly KnownTool[];
  readonly #calls: WrittenCall[] = [];
  #unended = 0;
  #repairs = 0;
  #objects = 0;

  constructor(text: string, tools: readonly KnownTool[]) {
    this.#text = text;
    this.#tools = tools;
  }

  read(starts: RegExp): readonly WrittenCall[] {
    const search = new RegExp(starts);
    for (let found = search.exec(this.#text); found; found = search.exec(this.#text)) {
      const { json, ...names } = found.groups ?? {};
      const name = Object.values(names).find((each) => each !== undefined) ?? null;
      const end = this.#readAt(search.lastIndex, { name, isMarked: json === undefined });
      search.lastIndex = Math.max(end, found.index + 1);
      if (this.#unended > maxUnended || this.#objects > maxObjects) break;
    }
    return this.#calls;
  }

  /** Returns where reading goes on. */
  #readAt(start: number, prefix: { readonly name: string | null; readonly isMarked: boolean }): number {
    gluedName.lastIndex = start + (this.#text.startsWith('\n', start) ? 1 : 0);
    const glued = gluedName.exec(this.#text)?.[1];
    const name = prefix.name ?? glued ?? null;
    const from = glued === undefined ? start : gluedName.lastIndex;
    const tagged = name === null ? null : this.#parseTagAt(from);
    if (name !== null && tagged) {
      this.#calls.push({ name, args: tagged.args, isMarked: true });
      return tagged.end;
    }
    let at = this.#skip(from);
    let isFirst = true;
    // Granite and Mistral write a list.
    while (this.#text[at] === '{' && this.#objects <= maxObjects) {
      const end = endOfObject(this.#text, at);
      if (end === null) {
        this.#unended += 1;
        this.#addUnterminated(this.#textOfBlock(at), { ...prefix, name });
        return at + 1;
      }
      this.#add(this.#text.slice(at, end), { isMarked: prefix.isMarked, name: isFirst ? name : null });
      isFirst = false;
      const next = this.#skip(end);
      if (!this.#text.slice(end, next).includes(',')) return end;
      at = next;
    }
    if (name !== null && isFirst) this.#calls.push({ name, args: null, isMarked: true, why: noArguments });
    return from;
  }

  /** From an object that does not end to the end of its fence. */
  #textOfBlock(start: number): string {
    const end = this.#text.lastIndexOf('\n```');
    return this.#text.slice(start, end > start ? end : undefined);
  }

  #skip(from: number): number {
    fillers.lastIndex = from;
    fillers.exec(this.#text);
    return fillers.lastIndex;
  }

  /** `<parameter=NAME>value</parameter>` and `<arg_key>NAME</arg_key><arg_value>value</arg_value>`; null where there is none. */
  #parseTagAt(start: number): { readonly args: JsonObject; readonly end: number } | null {
    const args: Record<string, Json> = {};
    let end = start;
    for (;;) {
      parameters.lastIndex = end;
      const found = parameters.exec(this.#text);
      if (!found) break;
      const [, named] = found;
      let [key, valueAt] = [named ?? '', parameters.lastIndex];
      if (named === undefined) {
        const closing = this.#text.indexOf('</arg_key>', valueAt);
        const start = closing < 0 ? -1 : this.#text.indexOf('<arg_value>', closing);
        if (start < 0) {
          this.#unended += 1;
          break;
        }
        key = this.#text.slice(valueAt, closing).trim();
        valueAt = start + '<arg_value>'.length;
      }
      const abort = new RegExp(named === undefined ? '</arg_value>' : '</(?:｜DSML｜)?parameter>', 'g');
      abort.lastIndex = valueAt;
      const closed = abort.exec(this.#text);
      if (!closed) {
        this.#unended += 1;
        break;
      }
      const value = this.#text
        .slice(valueAt, closed.index)
        .replace(/^\r?\n/, '')
        .replace(/\r?\n$/, '');
      // A text that looks like a number is one in no program: it stays as it was written.
      args[key] = /^\s*[[{]/.test(value) ? (plainJson(value) ?? value) : value;
      end = abort.lastIndex;
    }
    return end === start ? null : { args, end };
  }

  #add(json: string, { name, isMarked }: { readonly name: string | null; readonly isMarked: boolean }): void {
    this.#objects += 1;
    const value = plainJson(json) ?? this.#repairJson(json);
    if (isJsonObject(value) && Array.isArray(value.tool_calls)) {
      for (const each of value.tool_calls) {
        const call = isJsonObject(each) ? callOf(each, null, this.#tools) : null;
        if (call) this.#calls.push({ ...call, isMarked: true });
      }
      return;
    }
    const call = isJsonObject(value) ? callOf(value, name, this.#tools) : null;
    if (call) this.#calls.push({ ...call, isMarked });
    else if (!isJsonObject(value)) this.#addUnterminated(json, { name, isMarked });
    else if (isMarked && name === null)
      this.#calls.push({ name: '', args: null, isMarked, why: 'the name of its tool is missing' });
  }

  #repairJson(json: string): Json | undefined {
    this.#repairs += 1;
    return this.#repairs > maxRepairs ? undefined : modelJson(json);
  }

  /** One that cannot be read is a call as well, if it is named as one. */
  #addUnterminated(
    start: string,
    { name, isMarked }: { readonly name: string | null; readonly isMarked: boolean },
  ): void {
    const named = name ?? nameOfCall.exec(start.slice(0, 300))?.[1];
    if (named === undefined) return;
    this.#calls.push({ name: named, args: null, isMarked, why: describeJsonError(start) });
  }
}

const nameOfCall = /["'“](?:tool|tool_name|name|action)["'”]\s*:\s*["'“]([\w.-]{1,100})["'”]/;
const noArguments = 'its arguments are missing';

type ReadCall = Pick<WrittenCall, 'name' | 'args' | 'why'>;

const wrappers = ['function', 'tool', 'tool_call', 'function_call', 'call'];
const nameKeys = ['tool', 'tool_name', 'name', 'function', 'function_name', 'action'];
const argumentKeys = [
  ...['arguments', 'parameters', 'args', 'input', 'params', 'kwargs'],
  ...['tool_args', 'tool_input', 'tool_arguments', 'action_input', 'action_args', 'function_args'],
];

/** `name`: the one that stands before the object, which then is the arguments. */
function callOf(value: JsonObject, name: string | null, tools: readonly KnownTool[]): ReadCall | null {
  const inner = wrappers.map((key) => value[key]).find(isJsonObject) ?? value;
  const named = nameKeys.map((key) => inner[key]).find((each) => typeof each === 'string');
  if (typeof named === 'string' && (name === null || name === named)) {
    const call = namedCall(inner, named, tools);
    if (call) return call;
  }
  return name === null ? callByKey(value, tools) : { name, args: value };
}

/** Arguments stand in a field of their own, or beside the name of a tool that has parameters of these names. */
function namedCall(inner: JsonObject, name: string, tools: readonly KnownTool[]): ReadCall | null {
  const tool = findTool(tools, name);
  const key = argumentKeys.find((each) => inner[each] !== undefined && !tool?.parameters.includes(each));
  const args = key === undefined ? undefined : inner[key];
  const siblings = Object.entries(inner).filter(([each]) => each !== key && !nameKeys.includes(each));
  const ofTool = siblings.filter(([each]) => tool?.parameters.includes(each));
  const sibling = Object.fromEntries(ofTool.length > 0 || key !== undefined ? ofTool : siblings);
  const isNamedAsTool = typeof inner.tool === 'string' || (tool && typeof inner.action === 'string');
  if (args === undefined) return isNamedAsTool || ofTool.length > 0 ? { name, args: sibling } : null;
  const read = typeof args === 'string' ? argsInText(args, tool) : args;
  if (isJsonObject(read)) return { name, args: { ...sibling, ...read } };
  if (Object.keys(sibling).length > 0) return { name, args: sibling };
  const isNothing = args === null || args === '';
  if (isNothing && tool?.required.length === 0) return { name, args: {} };
  const [only, second] = tool?.required ?? [];
  if (typeof args === 'number' && only !== undefined && second === undefined)
    return { name, args: { [only]: args } };
  const what = args === null ? 'null' : typeof args === 'string' ? 'a text and no JSON object' : 'no object';
  return { name, args: null, why: `its \`${key}\` is ${what}` };
}

/** A text that is no JSON is the one parameter of a tool that requires one. */
function argsInText(text: string, tool: KnownTool | null): Json | undefined {
  const [only, second] = tool?.required ?? [];
  const read = plainJson(text) ?? modelJson(text);
  if (isJsonObject(read) || only === undefined || second !== undefined || text.trim() === '') return read;
  return text.trim().startsWith('{') ? read : { [only]: text };
}

/** `{"SubmitAnswer": {"answer": "42"}}` */
function callByKey(value: JsonObject, tools: readonly KnownTool[]): ReadCall | null {
  const found = Object.entries(value).flatMap(([key, args]) => {
    const tool = findTool(tools, key);
    return tool && isJsonObject(args) ? [{ name: tool.name, args }] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}
