/** Places such as `{{tool.stdout}}` in a script's texts, filled from the request; `\{{name}}` is written `{{name}}`. Pure. */
import { changeStrings, type Json } from '../core/json.ts';
import type { Message, ToolMessage } from '../core/model.ts';
import type { ScriptCall } from './scripted.ts';

const placePattern = /(\\?)\{\{ *([A-Za-z][\w.-]*) *\}\}/g;

const sections = ['stdout', 'stderr'] as const;
type Section = (typeof sections)[number];

const plainPlaces = ['role', 'branch', 'index', 'attempt', 'user'] as const;

type Place =
  | { readonly from: (typeof plainPlaces)[number] }
  | { readonly from: 'tool'; readonly tool?: string; readonly section?: Section };

export const knownPlaces =
  '{{tool}}, {{tool.stdout}}, {{tool.stderr}}, {{tool.NAME}}, {{tool.NAME.stdout}}, {{tool.NAME.stderr}}, ' +
  '{{user}}, {{role}}, {{branch}}, {{index}}, {{attempt}}';

/** The names in `value` that have the form of places but are unknown. */
export function unknownPlaceholders(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') {
    const found = [...value.matchAll(placePattern)].filter(([, backslash]) => !backslash);
    return found.flatMap(([, , name = '']) => (parsePlace(name) ? [] : [name]));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(unknownPlaceholders);
}

/** Fills the places in a text. Throws where the request has nothing to fill one with. */
export function fillText(text: string, call: ScriptCall): string {
  return text.replace(placePattern, (text: string, backslash: string, name: string) => {
    if (backslash) return text.slice(1);
    const place = parsePlace(name);
    return place ? resolvePlaceholder(place, name, call) : text;
  });
}

/** Fills the places in every string of a JSON value; keys stay as they are. */
export function fillJson<T extends Json>(value: T, call: ScriptCall): T {
  return changeStrings(value, (text) => fillText(text, call));
}

/**
 * One section of a tool's text. stdout begins after the first line that starts with `stdout:` and ends before the
 * next line that starts with `stderr:`, or with the text. stderr begins after that line (without stdout: after the
 * first one) and ends with the text. White space around either is dropped. Null where the section is missing.
 */
export function sectionOf(text: string, section: Section): string | null {
  const start = /^stdout:/m.exec(text);
  const body = start ? text.slice(start.index + start[0].length) : text;
  const cut = /^stderr:/m.exec(body);
  if (section === 'stderr') return cut ? body.slice(cut.index + cut[0].length).trim() : null;
  return start ? body.slice(0, cut?.index ?? body.length).trim() : null;
}

function parsePlace(name: string): Place | null {
  const plain = plainPlaces.find((each) => each === name);
  if (plain) return { from: plain };
  const [first, ...rest] = name.split('.');
  const section = sections.find((each) => each === rest.at(-1));
  const [tool, ...more] = section ? rest.slice(0, -1) : rest;
  const isPlace = first === 'tool' && more.length === 0 && !rest.includes('');
  return isPlace ? { from: 'tool', tool, section } : null;
}

function resolvePlaceholder(place: Place, name: string, call: ScriptCall): string {
  if (place.from === 'user') return lastUserText(call.request.messages) ?? missing(name, 'no user message');
  if (place.from !== 'tool') return String(call[place.from]);
  const { tool, section } = place;
  const message = lastToolMessage(call.request.messages, tool);
  if (!message) return missing(name, tool === undefined ? 'no tool result' : `no result of the tool ${tool}`);
  if (!section) return message.content;
  return (
    sectionOf(message.content, section) ?? missing(name, `no ${section} in the result of ${message.name}`)
  );
}

function lastToolMessage(messages: readonly Message[], tool: string | undefined): ToolMessage | undefined {
  return messages.findLast(
    (message): message is ToolMessage =>
      message.role === 'tool' && (tool === undefined || message.name === tool),
  );
}

function lastUserText(messages: readonly Message[]): string | null {
  const message = messages.findLast((each) => each.role === 'user');
  if (!message) return null;
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function missing(name: string, what: string): never {
  throw new Error(`The place {{${name}}} cannot be filled: the request has ${what}.`);
}
