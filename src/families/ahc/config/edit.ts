/** Files of configuration, written: one value changed with every comment kept, and the file that `init` begins with. */
import { type Document, isMap, parseDocument, stringify } from 'yaml';
import { type ConfigValue, configKeys, configSections } from './keys.ts';
import { parseLayer } from './layer.ts';

/** `value` is written as it was given: `${NAME}` stays `${NAME}`. Throws `UserError` for a file that cannot be read. */
export function withValue(source: string, text: string, path: string, value: ConfigValue): string {
  return edited(source, text, () => setIn(text, path, value));
}

/** The line is taken out; what is further out holds again. */
export function withoutValue(source: string, text: string, path: string): string {
  return edited(source, text, () => {
    const document = parseDocument(text, { logLevel: 'error' });
    const [section = '', name = ''] = path.split('.');
    if (!isMap(document.get(section, true)) || !document.deleteIn([section, name])) return text;
    return document.toString({ lineWidth: 0 });
  });
}

/** A file that could not be read is not written either, unless the change is what makes it readable. */
function edited(source: string, text: string, change: () => string): string {
  const faultOf = (read: () => string): unknown => {
    try {
      parseLayer(source, read());
      return null;
    } catch (error) {
      return error;
    }
  };
  const fault = faultOf(() => text);
  if (fault !== null && faultOf(change) !== null) throw fault;
  return change();
}

function setIn(text: string, path: string, value: ConfigValue): string {
  const document: Document = parseDocument(text, { logLevel: 'error' });
  const [section = '', name = ''] = path.split('.');
  if (document.has(section) && !isMap(document.get(section, true))) {
    return withFirstValue(text, section, stringify({ [name]: value }, { lineWidth: 0 }));
  }
  document.setIn([section, name], value);
  return document.toString({ lineWidth: 0 });
}

/** A section of comments alone is nothing to the parser: the line goes below the comment that shows it, else on top. */
function withFirstValue(text: string, section: string, entry: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`${section}:`));
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s#]/.test(line));
  const end = length < 0 ? lines.length : start + 1 + length;
  const name = entry.slice(0, entry.indexOf(':'));
  const shown = lines.findIndex((line, at) => at > start && at < end && line.trim().startsWith(`# ${name}:`));
  const indented = entry
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
  return lines.toSpliced((shown < 0 ? start : shown) + 1, 0, ...indented).join('\n');
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
        const shown = line.split('\n').map((each) => `  ${value === undefined ? '# ' : ''}${each}`);
        return [`  # ${about}.`, ...shown];
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
