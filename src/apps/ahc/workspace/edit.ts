/** Files of configuration, written: one value changed with every comment kept, and the file that `init` begins with. */
import { type Document, isMap, isScalar, type Node, parseDocument, stringify, type YAMLMap } from 'yaml';
import { canonicalJson } from '../../../core/json.ts';
import { type ConfigValue, configKeys, configSections } from '../../../families/ahc/config/keys.ts';
import { parseLayer } from '../../../families/ahc/config/layer.ts';

/** `value` is written as it was given: `${NAME}` stays `${NAME}`. Throws `UserError` for a file that cannot be read. */
export function withValue(source: string, text: string, path: string, value: ConfigValue): string {
  return edited(source, text, () => setIn(text, path, value));
}

/** The lines are taken out, and nothing is put in their place; what is further out holds again. */
export function withoutValue(source: string, text: string, path: string): string {
  return edited(source, text, () => {
    const document = parseDocument(text, { logLevel: 'error' });
    const [section = '', name = ''] = path.split('.');
    const map = document.get(section, true);
    if (!isMap(map) || !map.has(name)) return text;
    const cut = map.flow ? text : withoutLines(text, map, name);
    document.deleteIn([section, name]);
    if (map.items.length === 0) document.set(section, null);
    return meansTheSame(cut, document) ? cut : document.toString({ lineWidth: 0 });
  });
}

/** Removes the lines of a key and its value, with the comment behind it. */
function withoutLines(text: string, map: YAMLMap, name: string): string {
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === name);
  const start = (pair?.key as Node | undefined)?.range?.[0];
  if (start === undefined) return text;
  const end = (pair?.value as Node | null | undefined)?.range?.[1] ?? start + name.length;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', Math.max(start, end - 1));
  return text.slice(0, from) + (lineEnd < 0 ? '' : text.slice(lineEnd + 1));
}

/** A change of lines is taken only where it is the change of the document, whatever the file looks like. */
function meansTheSame(text: string, document: Document): boolean {
  const read = parseDocument(text, { logLevel: 'error' });
  try {
    return read.errors.length === 0 && canonicalJson(read.toJS()) === canonicalJson(document.toJS());
  } catch {
    return false;
  }
}

/** A file that could not be read is not written either, unless the change is what makes it readable. */
function edited(source: string, text: string, change: () => string): string {
  try {
    parseLayer(source, text);
  } catch (issue) {
    try {
      parseLayer(source, change());
    } catch {
      throw issue;
    }
  }
  return change();
}

function setIn(text: string, path: string, value: ConfigValue): string {
  const document: Document = parseDocument(text, { logLevel: 'error' });
  const [section = '', name = ''] = path.split('.');
  const entry = stringify({ [name]: value }, { lineWidth: 0 });
  const map = document.get(section, true);
  const claim = isMap(map) ? map : null;
  // No section at all: left as it is, and so refused.
  if (!claim && (document.get(section) ?? null) !== null) return text;
  const isFirst = (claim?.items.length ?? 0) === 0;
  const isPlaced = document.has(section) && (isFirst || !(claim?.flow || claim?.has(name)));
  const indent = claim && !isFirst ? indentOf(text, claim) : 2;
  const before = isFirst ? withoutBraces(text, claim) : text;
  if (isFirst) document.set(section, document.createNode({ [name]: value }));
  else document.setIn([section, name], value);
  const placed = isPlaced ? withEntry(before, { section, name, isFirst }, entry, indent) : text;
  return isPlaced && meansTheSame(placed, document) ? placed : document.toString({ lineWidth: 0 });
}

/** A section that was written as `{}` is laid out in lines from now on. */
function withoutBraces(text: string, map: YAMLMap | null): string {
  const [start, end] = map?.range ?? [0, 0];
  const left = text.slice(0, start);
  const lineStart = left.lastIndexOf('\n') + 1;
  const isSingle = left.slice(lineStart).trim() === '' && /^[ \t]*\n/.test(text.slice(end));
  return isSingle && map
    ? text.slice(0, lineStart) + text.slice(text.indexOf('\n', end) + 1)
    : left + text.slice(end);
}

function indentOf(text: string, map: YAMLMap): number {
  const start = (map.items[0]?.key as Node | undefined)?.range?.[0] ?? 2;
  return start - (text.lastIndexOf('\n', start - 1) + 1);
}

/**
 * Below the comment that shows the key; where there is none, a first one (`isFirst`) goes on top, and others are left to
 * the parser. `entry` is YAML, not yet indented.
 */
function withEntry(
  text: string,
  place: { readonly section: string; readonly name: string; readonly isFirst: boolean },
  entry: string,
  indent: number,
): string {
  const { section, name, isFirst } = place;
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`${section}:`));
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s#]/.test(line));
  const end = length < 0 ? lines.length : start + 1 + length;
  const visibleCount = lines.findIndex(
    (line, at) => at > start && at < end && line.trim().startsWith(`# ${name}:`),
  );
  if (visibleCount < 0 && !isFirst) return text;
  const entryLines = entry.trimEnd().split('\n');
  const indented = entryLines.map((line) => `${' '.repeat(indent)}${line}`);
  return lines.toSpliced((visibleCount < 0 ? start : visibleCount) + 1, 0, ...indented).join('\n');
}

/** Every key with what it does, commented out: what is not there is decided further out. `set` are those that are not. */
export function initialFile(set: Readonly<Record<string, ConfigValue>> = {}): string {
  const sections = configSections.map((section) => {
    const lines = configKeys
      .filter(({ path }) => path.startsWith(`${section}.`))
      .flatMap(({ path, about, initial }) => {
        const name = path.slice(section.length + 1);
        const value = set[path];
        const line = stringify({ [name]: value ?? initial }, { lineWidth: 0 }).trimEnd();
        const visible = line.split('\n').map((each) => `  ${value === undefined ? '# ' : ''}${each}`);
        return [`  # ${about}.`, ...visible];
      });
    return `${section}:\n${lines.join('\n')}\n`;
  });
  return `# What holds in this workspace. A line that is commented out shows what holds otherwise.\n# Options of a command and the environment (AHC_AGENT_LLM_MODEL …) go before this file, the global one behind it.\n\n${sections.join('\n')}`;
}

/** What people see of a value: a secret only by its end, and what is expanded later as it stands. */
export function shownValue(value: ConfigValue, isSecret: boolean): string {
  const text = value === null ? '(unset)' : typeof value === 'string' ? value : JSON.stringify(value);
  if (!isSecret || value === null || /^\$\{\w+\}$/.test(text)) return text;
  return text.length < 12 ? '****' : `****${text.slice(-4)}`;
}
