/** The answer of a reply that is JSON: what its field of that name holds, read as JSON and written as an answer is. */
import { isJsonObject, type Json } from '../../core/json.ts';
import { jsonInReply } from '../../text/model-json.ts';
import type { Candidate } from './profiles.ts';

/** From the surest; other fields tell how it was found. */
const names = 'finalanswer answer finalresult result value solution output choice option'.split(' ');

/** Null where the reply is no JSON with such a field; none where the field holds nothing. */
export function jsonCandidates(text: string): readonly Candidate[] | null {
  if (!/"[\w -]{1,20}"\s*:/.test(text)) return null;
  // Numbers keep their digits.
  const exact = text.replaceAll(/("(?:[^"\\]|\\.)*")|-?\d[\d.]{15,}/g, (found, said) => said ?? `"${found}"`);
  const object = jsonInReply(exact);
  if (!isJsonObject(object)) return null;
  const fields = Object.entries(object);
  const named = (name: string) =>
    fields.find(([key]) => key.toLowerCase().replaceAll(/[^a-z]/g, '') === name);
  const [key, value] = names.map(named).find((each) => each !== undefined) ?? [];
  if (key === undefined || value === undefined) return null;
  const said = written(value).trim();
  const full = { place: 'tag' as const, isMath: null, start: 0, end: text.length };
  return said === '' ? [] : [{ ...full, text: said }];
}

/** `[1, 2]` as a program prints it, `36 cm`, `x = 1, y = 2`. */
function written(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (!isJsonObject(value)) return value === null ? '' : String(value);
  const { value: amount, unit, units, ...others } = value;
  const measure = unit ?? units;
  if (amount !== undefined) return `${written(amount)}${measure === undefined ? '' : ` ${written(measure)}`}`;
  return Object.entries(others)
    .map(([name, each]) => `${name} = ${written(each ?? null)}`)
    .join(', ');
}
