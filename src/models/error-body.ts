/** What a server wrote in the place of a reply, in whatever form: its message, its codes, and the fields of its error. Pure. */
import { z } from 'zod';
import { plainJson } from '../text/model-json.ts';

export type ErrorBody = {
  /** Empty where it has no words. */
  readonly message: string;
  /** Codes, types and names of the error, for patterns. */
  readonly codes: string;
  /** The status that the error itself names. */
  readonly status: number | undefined;
  /** The parsed error, for its other fields. */
  readonly fields: unknown;
};

const record = z.record(z.string(), z.unknown());
type Fields = z.infer<typeof record>;

/** `value` is parsed JSON, or the text of a body: an error object, a page, plain words. */
export function readErrorBody(value: unknown): ErrorBody {
  const parsed = typeof value === 'string' ? (plainJson(value) ?? value) : value;
  const layers = nestedErrors(parsed);
  const message = layers.map(messageIn).findLast((text) => text !== '') ?? '';
  const raw = layers.flatMap(upstreamWords).join(' ');
  const codes = layers.flatMap(codesIn).join(' ');
  return {
    message: raw && !raw.includes(message) ? `${message}: ${raw}`.replace(/^: /, '') : message || raw,
    codes,
    status: layers.map(statusIn).findLast((status) => status !== undefined),
    fields: parsed,
  };
}

/** Whether JSON that came with HTTP 200 is an error and no reply. */
export function isErrorObject(value: unknown): boolean {
  const fields = record.safeParse(Array.isArray(value) ? value[0] : value).data;
  if (!fields) return false;
  const isReply = ['choices', 'candidates', 'output', 'content'].some((name) => Array.isArray(fields[name]));
  if (fields.error || (Array.isArray(fields.errors) && fields.errors.length > 0)) return true;
  if (isReply) return false;
  return fields.object === 'error' || fields.type === 'error' || messageIn(fields) !== '';
}

/** From the outermost to the innermost: an error may stand in an error, in a list, or as JSON in a string. */
function nestedErrors(value: unknown, depth = 0): readonly unknown[] {
  if (depth > 5) return [];
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value) ? plainJson(value) : undefined;
    return inner === undefined ? [value] : nestedErrors(inner, depth + 1);
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, 20);
    // FastAPI names each field that is wrong.
    if (depth > 0 && items.every((item) => record.safeParse(item).data?.loc !== undefined)) return [items];
    return items.slice(0, 1).flatMap((item) => nestedErrors(item, depth + 1));
  }
  const fields = record.safeParse(value).data;
  if (!fields) return [];
  const inner = ['fault', 'base_resp', 'errors', 'detail', 'error', 'external_model_error'].flatMap((name) =>
    fields[name] ? nestedErrors(fields[name], depth + 1) : [],
  );
  const { message, response } = fields;
  // An event of OpenAI's Responses API: the response that failed has the error.
  if (record.safeParse(response).data?.error) return [fields, ...nestedErrors(response, depth + 1)];
  const isJson = typeof message === 'string' && /^\s*\{/.test(message);
  return [fields, ...inner, ...(isJson ? nestedErrors(message, depth + 1) : [])];
}

const messageNames = [
  'message',
  'Message',
  'msg',
  'error_message',
  'errorMessage',
  'error_msg',
  'status_msg',
  'error_description',
  'faultstring',
  'title',
  'reason',
];

function messageIn(layer: unknown): string {
  if (typeof layer === 'string') return bodyExcerpt(layer);
  if (Array.isArray(layer)) return layer.map(fieldError).filter(Boolean).join('; ');
  const fields = record.safeParse(layer).data ?? {};
  const found = messageNames
    .map((name) => fields[name])
    .find((text) => typeof text === 'string' && text.trim() && !/^\s*\{.*\}\s*$/s.test(text));
  return typeof found === 'string' ? bodyExcerpt(found) : '';
}

function fieldError(item: unknown): string {
  const { loc, msg, message = msg } = record.safeParse(item).data ?? {};
  const path = Array.isArray(loc) ? loc.join('.') : '';
  return `${path}${path && ': '}${typeof message === 'string' ? message : ''}`;
}

/** OpenRouter quotes the provider behind it. */
function upstreamWords(layer: unknown): readonly string[] {
  const metadata = record.safeParse(record.safeParse(layer).data?.metadata).data;
  if (!metadata || typeof metadata.raw !== 'string') return [];
  const inner = readErrorBody(metadata.raw);
  return inner.message ? [inner.message] : [];
}

const codeNames = [
  'code',
  'type',
  'status',
  'reason',
  'error_type',
  'error_code',
  'errorCode',
  '__type',
  'status_code',
  'details',
];

function codesIn(layer: unknown): readonly string[] {
  const fields: Fields = record.safeParse(layer).data ?? {};
  const metadata = record.safeParse(fields.metadata).data ?? {};
  return [...codeNames.map((name) => fields[name]), metadata.error_type].flatMap((value) => {
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    return typeof value === 'object' && value !== null ? JSON.stringify(value).slice(0, maxExcerpt) : [];
  });
}

function statusIn(layer: unknown): number | undefined {
  const { code, status, status_code: plain } = record.safeParse(layer).data ?? {};
  const found = [code, status, plain].find((value) => /^[45]\d\d$/.test(String(value)));
  return found === undefined ? undefined : Number(found);
}

/** Longer than a message may be: it is cut after secrets are taken out, so that no half of one stays at the end. */
const maxExcerpt = 4_000;
const maxBody = 50_000;

/** The words of a text that may be a page. */
function bodyExcerpt(body: string): string {
  const words = body
    .slice(0, maxBody)
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^<>]*>/gi, ' ')
    .replace(/\s+/g, ' ');
  return words.trim().slice(0, maxExcerpt);
}
