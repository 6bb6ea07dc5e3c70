/** The error that an event or a body carries, wherever a server puts it. Tolerance must never hide one. */
import { isJsonObject, type JsonObject } from '../../core/json.ts';

/** In the form in which failures are judged; the other fields are the server's. */
export type ServerError = { readonly message: string; readonly [field: string]: unknown };

type Fields = JsonObject;

/** `name` is that of the event. Undefined where nothing says that the call went wrong. */
export function errorIn(value: unknown, name = ''): ServerError | undefined {
  if (Array.isArray(value)) return value.length === 1 ? errorIn(value[0], name) : undefined;
  const isNamed = /^error$/i.test(name);
  const fields = fieldsIn(value);
  if (!fields) return isNamed ? describeServerError(value ?? '') : undefined;
  const [found] = [fields, ...errorHolders(fields)].flatMap((jsonObject): readonly ServerError[] => {
    const error = ownError(jsonObject);
    return error ? [error] : [];
  });
  if (found) return found;
  const isError = isNamed || fields.object === 'error' || fields.type === 'error' || isBareError(fields);
  return isError ? describeServerError(fields) : undefined;
}

/** The error of a body that a server sent with the status of one or in the place of a reply, in any form. */
export function errorInFailure(value: unknown): ServerError | undefined {
  const inner: unknown = Array.isArray(value) ? value[0] : value;
  const found = errorIn(inner);
  if (found) return found;
  const fields = fieldsIn(inner);
  return fields && messageOf(fields) !== undefined ? describeServerError(fields) : undefined;
}

/** The choice, and what it holds. */
function errorHolders({ choices }: Fields): readonly Fields[] {
  const first = Array.isArray(choices) ? fieldsIn(choices[0]) : undefined;
  if (!first) return [];
  const inner = [first.delta, first.message].map((each) => fieldsIn(each) ?? {});
  return [first, ...inner];
}

function ownError({ error, errors, base_resp }: Fields): ServerError | undefined {
  if (isError(error)) return describeServerError(error);
  if (Array.isArray(errors) && isError(errors[0])) return describeServerError(errors[0]);
  // MiniMax reports success there, too.
  const status = fieldsIn(base_resp);
  if (!status?.status_code) return undefined;
  return { ...describeServerError(status), code: status.status_code };
}

function isError(error: unknown): boolean {
  if (typeof error === 'string') return error.trim() !== '';
  const fields = fieldsIn(error);
  return (
    fields !== undefined &&
    Object.values(fields).some((value) => value !== null && value !== '' && value !== 0)
  );
}

/** An object without choices that has a message and a code, or a status, of an error. */
function isBareError(fields: Fields): boolean {
  if (fields.choices !== undefined && fields.choices !== null) return false;
  if (messageOf(fields) === undefined) return false;
  if (typeof fields.detail === 'string') return true;
  const codes = [fields.code, fields.status, fields.status_code, fields.error_code, fields.type];
  return codes.some((code) => /^[45]\d\d$|error|invalid|exceed|limit|fail/i.test(String(code ?? '')));
}

const messageFields = ['message', 'msg', 'error_msg', 'status_msg', 'detail', 'error_description'];

function messageOf(fields: Fields): string | undefined {
  for (const name of messageFields) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  }
  return undefined;
}

function describeServerError(error: unknown): ServerError {
  const fields = fieldsIn(error);
  if (!fields) return { message: String(error) || 'it has no message' };
  const nested = ownError(fields);
  if (nested) return nested;
  return { ...fields, message: messageOf(fields) ?? 'it has no message' };
}

function fieldsIn(value: unknown): Fields | undefined {
  return isJsonObject(value) ? value : undefined;
}
