/** What is told of an entry, part by part, to people and to agents alike. Parts of which nothing is known are left out. Pure. */
import type { LibraryEntry } from './entry.ts';

export type Section = { readonly title: string; readonly text: string; readonly isCode: boolean };

export function sectionsOf({ meta, code, example, id }: LibraryEntry): readonly Section[] {
  const { time_complexity: time, space_complexity: space } = meta;
  const include = `#include "${meta.filename}"`;
  return [
    prose('what', meta.description),
    prose('when to use', meta.when_to_use),
    prose('pitfalls', meta.pitfalls),
    prose('complexity', [time && `time ${time}`, space && `memory ${space}`].filter(Boolean).join('; ')),
    prose('notes', meta.notes),
    prose('tags', meta.tags.join(', ')),
    prose('needs', meta.dependencies.join(', ')),
    prose('measured', speedText(meta.speed)),
    block('functions', meta.function_signatures.join('\n')),
    block('template parameters', meta.template_parameters.join('\n')),
    block('usage', meta.usage_example === '' ? '' : `${include}\n${meta.usage_example}`),
    block(`example: ${id}.example.cpp`, example?.trimEnd() ?? ''),
    block(`code: ${meta.filename}`, code.trimEnd()),
  ].filter(({ text }) => text !== '');
}

/** As Markdown, for agents. */
export function entryMarkdown(entry: LibraryEntry): string {
  const { id, meta } = entry;
  const parts = sectionsOf(entry).map(({ title, text, isCode }) =>
    isCode ? `**${title}**\n\`\`\`cpp\n${text}\n\`\`\`` : `**${title}**: ${text}`,
  );
  return [`# ${meta.name} (\`${id}\`)`, ...parts].join('\n\n');
}

/** `5.2 ns for one draw; 2.1 times as fast as std::mt19937 (g++ 12, 2 cores)`. */
export function speedText(speed: LibraryEntry['meta']['speed']): string {
  if (speed === null) return '';
  const { what, nanoseconds_per_operation: nanoseconds, against, ratio, machine } = speed;
  return `${figure(nanoseconds)} ns for ${what}; ${figure(ratio)} times as fast as ${against} (${machine})`;
}

function figure(number: number): string {
  return number >= 100 ? Math.round(number).toLocaleString('en-US') : String(Number(number.toPrecision(2)));
}

function prose(title: string, text: string): Section {
  return { title, text, isCode: false };
}

function block(title: string, text: string): Section {
  return { title, text, isCode: true };
}
