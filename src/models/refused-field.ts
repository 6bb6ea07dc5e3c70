/**
 * What a chat server refuses, read from its error: the quirk with which the same request may succeed. Only an error that
 * names the field, or speaks of the order of roles, counts; one about a value out of range does not. Pure.
 */
import { isJsonObject } from '../core/json.ts';
import type { ModelFailure, ServerQuirk } from '../core/model.ts';
import { plainJson } from '../text/model-json.ts';

export type RejectedRequest = {
  /** Missing for an error that arrived inside a reply. */
  readonly status?: number | undefined;
  /** The body of the error, or its message. */
  readonly text: string;
  /** The body of the request as it was sent. */
  readonly sent: Readonly<Record<string, unknown>>;
};

/** Undefined where no quirk would help, or where the error does not say so clearly. */
export function quirkForRejection({ status, text, sent }: RejectedRequest): ServerQuirk | undefined {
  if (status !== undefined && !refusingStatuses.has(status)) return undefined;
  const rejection = parseRejection(text);
  const field = fields.find(
    ({ name, isRefused }) => sent[name] !== undefined && (isRefused ?? isFieldRejected)(rejection, name),
  );
  if (field) return field.quirk(sent, rejection);
  return quirkForMessages(rejection, sent.messages) ?? quirkForRoles(rejection, sent.messages);
}

/** Nothing was billed, and only with the quirk may the same request succeed. */
export function withQuirk(failure: ModelFailure, quirk: ServerQuirk | undefined): ModelFailure {
  if (quirk === undefined) return failure;
  const { message } = failure.error;
  return { ok: false, error: { kind: 'bad-request', message, retryable: false, quirk }, usage: null };
}

/** Templates of llama.cpp and proxies refuse with 500, and some servers call an unknown field unimplemented. */
const refusingStatuses = new Set([400, 404, 405, 415, 422, 500, 501]);

type Rejection = {
  /** All that the error says, without what it repeats of the request and without its lists of what would be right. */
  readonly words: string;
  /** What validators like pydantic complain about, field by field. */
  readonly complaints: readonly { readonly path: readonly string[]; readonly words: string }[];
  /** As OpenAI names the field, with its code. */
  readonly param: string;
  readonly code: string;
};

type FieldRule = {
  readonly name: string;
  readonly quirk: (request: RejectedRequest['sent'], rejection: Rejection) => ServerQuirk;
  readonly isRefused?: (rejection: Rejection, name: string) => boolean;
};

const fields: readonly FieldRule[] = [
  {
    name: 'response_format',
    quirk: ({ response_format: format }) => (isSchemaFormat(format) ? 'json-object' : 'json-in-prompt'),
    isRefused: isFormatRejected,
  },
  {
    name: 'max_tokens',
    quirk: (_, rejection) => (areBothLimitsRejected(rejection) ? 'no-output-limit' : 'max-completion-tokens'),
  },
  { name: 'max_completion_tokens', quirk: () => 'no-output-limit' },
  { name: 'stream', quirk: () => 'no-stream', isRefused: isStreamRejected },
  { name: 'stream_options', quirk: () => 'no-stream-options' },
  { name: 'parallel_tool_calls', quirk: () => 'no-parallel-tool-calls' },
  { name: 'reasoning_effort', quirk: () => 'no-reasoning-effort' },
  { name: 'top_p', quirk: () => 'no-top-p', isRefused: isSamplingRejected },
  { name: 'temperature', quirk: () => 'no-temperature', isRefused: isSamplingRejected },
  { name: 'seed', quirk: () => 'no-seed' },
];

const noun =
  '(?:request |body |input |query )?(?:parameter|param|argument|field|property|key|option|attribute|setting)';
const lead = '[^.\\n]{0,80}?';
/** `$` stands for the name of the field, in any quotes, and `@` for a list in which it stands. */
const refusals: readonly string[] = [
  // Unsupported parameter: 'x' · Unrecognized request argument supplied: x · json: unknown field "x" · Unrecognized key(s) in object: 'x'
  `\\b(?:un\\w+|extra|illegal|forbidden|no such|not supported|invalid|additional) (?:keyword )?${noun}(?:\\(?s\\)?)?(?: name| supplied| found| in (?:the )?(?:object|body|request(?: body)?))*\\W{0,6}@`,
  // Extra fields not allowed: x, y
  `\\b(?:un\\w+|extra|additional|invalid) (?:inputs|${noun}s?)(?: (?:are|is))? not (?:allowed|permitted|supported|accepted)\\W{1,4}(?:fields?\\W{1,3})?@`,
  // Unknown name "x": Cannot find field
  `\\bunknown name\\W{1,4}@`,
  // Unsupported: x · UnsupportedParameter: x
  `\\bunsupported ?(?:params?|parameters?|fields?)?(?:error)?\\W{1,4}@`,
  // x is not supported · The x parameter is currently not supported · `x` isn't permitted
  `$(?: ${noun})?(?: (?:is|are|was|has been))?(?: currently| yet)?(?: not|n't) (?:yet |currently |be )?(?:supported|allowed|permitted|recogni[sz]ed|accepted|available|implemented|enabled|a (?:valid|known|supported|recogni[sz]ed)|used|supplied|set|specified)`,
  `$(?: ${noun})?(?: is| are| was)? (?:un(?:supported|recogni[sz]ed|known|expected|available)|deprecated|disallowed|forbidden|prohibited|an? (?:un\\w+|invalid|extra) )`,
  `$(?: ${noun})?(?: can ?not| can't| must not| may not| should not) be (?:used|set|specified|supplied|provided|present|passed|sent)`,
  `$(?: ${noun})? is only (?:allowed|supported|available|valid) `,
  // does not support parameters: ['x'] · doesn't support x · does not accept the x parameter
  `(?:does|do|did|can|will)(?: not|n't|not) (?:currently |yet )?(?:support|accept|allow|recogni[sz]e|permit|take|understand|implement)(?!ed)[^.\\n]{0,12}?(?:${noun}s?)?[^.\\n]{0,60}?$`,
  // x: Extra inputs are not permitted · x: unknown field · $ extra fields not permitted
  `$\\W{1,4}(?:body )?(?:extra (?:inputs?|fields?|propert\\w+)|un(?:supported|known|recogni[sz]ed|expected)|not supported|not permitted|not allowed)`,
  // A list of pydantic's as Python prints it: 'type': 'extra_forbidden', 'loc': ('body', 'x')
  `extra_forbidden\\W{1,6}loc\\W{1,6}body\\W{1,6}$`,
  // ('x' was unexpected) · unexpected keyword argument 'x' · unexpected 'x'
  `additional propert\\w+ (?:are|is) not allowed\\W{1,4}$`,
  `unexpected (?:keyword )?(?:argument|parameter|field|property)?\\W{0,4}$`,
  // Use 'max_completion_tokens' instead of x · replace x with
  `\\buse \\W?\\w+\\W? (?:instead of|rather than|in place of) (?:the )?$`,
  `\\b(?:remove|drop|omit|leave out)(?: the)? (?:${noun} )?$`,
  `不支持${lead}$`,
  `$${lead}不支持`,
];

/** It is there, and its value is out of range, of a wrong type or one of many. */
const aboutValue =
  /\b(too (large|small|big|long|high|low)|out of range|range\b|at (most|least)|less than|greater than|more than|larger than|exceed\w*|above|below|between|minimum|maximum|upper bound|must be (an? )?(integer|number|positive|non-?negative|string|boolean|float|one of)|(valid|supported|allowed) values?|[<>]=? ?\d)/i;

const unsupportedCodes =
  /^(unsupported|unknown|unrecognized|unexpected|invalid|extra)_?(request_)?(parameter|param|argument|field)s?$/i;
const extra =
  /extra_?(forbidden|inputs?|fields?|not_allowed)|\bextra\b|not permitted|unknown|unrecogni[sz]ed|unexpected|unsupported|additional propert/i;

function isFieldRejected({ words, complaints, param, code }: Rejection, name: string): boolean {
  if (complaints.some((each) => each.path.at(-1) === name && extra.test(each.words))) return true;
  if (param === name && unsupportedCodes.test(code) && !aboutValue.test(words)) return true;
  if (
    name === 'max_tokens' &&
    /max_tokens/.test(words) &&
    /use \W?max_completion_tokens\W? instead/i.test(words)
  )
    return true;
  return refusals.some((pattern) => {
    const found = expression(pattern, name).exec(words);
    return found !== null && !aboutValue.test(surroundingSentence(words, found.index, found[0].length, name));
  });
}

/** Both names stand in one sentence, and neither is offered in the place of the other. */
function areBothLimitsRejected(rejection: Rejection): boolean {
  return !/\binstead\b/i.test(rejection.words) && isFieldRejected(rejection, 'max_completion_tokens');
}

const streamRefused =
  /\bstream(ing)?\b\W?( (mode|is|are|responses?|requests?|api))*( currently| yet)?( not|n't)( currently| yet)?( be)? (supported|allowed|available|enabled|implemented|permitted)|(does|do|can)( not|n't|not)( currently| yet)? (be streamed|(support|accept|allow)( \w+)? stream(ing|ed)?\b)|\bstream(ing)?\b.{0,20} (must be (set to )?false|unsupported|disabled)|only supports? non-?stream/i;

/** Neither about the options of the stream nor about what is asked for together with one. */
function isStreamRejected({ words, param, code }: Rejection): boolean {
  if (/stream_options/.test(words) || !/\bstream/i.test(words)) return false;
  if (param === 'stream' && /^un(supported|known)/i.test(code)) return true;
  return streamRefused.test(words);
}

/** A model may take its default alone, or one of the two. */
function isSamplingRejected(rejection: Rejection, name: string): boolean {
  const { words } = rejection;
  if (
    name === 'top_p' &&
    /temperature.{0,20}top_p.{0,40}\b(both|only one|together)\b|both.{0,20}temperature.{0,20}top_p/i.test(
      words,
    )
  )
    return true;
  const onlyDefault =
    /\bonly (the default|temperature ?= ?1|top_p ?= ?1|1(\.0)? is (allowed|supported|valid))/i;
  const isNamed = expression('$', name).test(words) && onlyDefault.test(words);
  return isNamed || isFieldRejected(rejection, name);
}

const ofFormat =
  /response_?format|json_schema|json_object|structured[ _]outputs?|json (mode|schema)|guided_?(json|decoding)/i;
const formatMissing =
  /(not|n't|never|isn't)( yet| currently)? (be )?(supported|available|implemented|enabled|allowed|permitted|valid|recogni[sz]ed)|unavailable|unsupported|unknown variant|(does|do|can)(n't| not|not) (support|accept|allow)|must be (one of|either|['"`]|text)|input should be|invalid value|unexpected value|only supports?|enabled only|不支持/i;
/** The server knows schemas, and this one is at fault, or its own reply was. */
const ofSchema =
  /(invalid|malformed) (json )?schema|schema (is )?(invalid|too|must|must be)|in context=|failed to (generate|validate)|must contain the word/i;

function isFormatRejected(rejection: Rejection, name: string): boolean {
  const { words, complaints, param } = rejection;
  if (ofSchema.test(words)) return false;
  if (complaints.some(({ path }) => path.includes(name))) return true;
  const isNamed = ofFormat.test(words) || param.startsWith(name);
  return (
    isNamed &&
    (formatMissing.test(words) ||
      isFieldRejected(rejection, name) ||
      expression('unknown.{0,20}$', name).test(words))
  );
}

function isSchemaFormat(format: unknown): boolean {
  return typeof format === 'object' && format !== null && 'type' in format && format.type === 'json_schema';
}

const ofThoughts = ['reasoning_content', 'reasoning', 'reasoning_details'];

const ofEmptyText =
  /\b(content|text)\b.{0,60}\b(must (be non-?empty|not be (empty|blank)|have|contain)|(is|are|was) (empty|blank)|(can ?not|can't) be (empty|blank)|non-?empty|at least 1 character)|\b(empty|blank) (content|text)/i;

/** What stands in the turns of the model: thoughts that were sent back, and the text that a turn of calls does not have. */
function quirkForMessages(rejection: Rejection, messages: unknown): ServerQuirk | undefined {
  const turns = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  const areThoughtsRefused = ofThoughts.some(
    (name) => turns.some((turn) => turn[name] !== undefined) && isFieldRejected(rejection, name),
  );
  if (areThoughtsRefused) return 'no-reasoning-history';
  const hasEmptyText = turns.some(({ tool_calls: calls, content }) => calls && content === '');
  return hasEmptyText && ofEmptyText.test(rejection.words) ? 'null-content' : undefined;
}

const alternation =
  /roles? (must|should|have to|need to) alternate|alternat(e|es|ing)\b.{0,60}\b(user|assistant|roles?)\b|\b(user|assistant|roles?)\b.{0,60}\balternat(e|es|ing)\b|unexpected role \W?(user|assistant|tool)\W? after role|(consecutive|successive|adjacent|same role)\b.{0,60}\b(not|n't|cannot|must)\b|(not|n't|cannot)\b.{0,40}\b(consecutive|successive|two .{0,20} in a row|same role)|expected (last )?role .{0,60}\bbut got/i;
const ofSystem =
  /system (role|message|prompt|instruction)s?( is| are)?( not|n't)( currently| yet)? (supported|allowed|enabled|available|permitted)|(not|n't) (support|accept|allow)( the| a| any)? \W?(system|developer)\W?( role| message| prompt| instruction)?|(developer|system) instructions? (is|are) not (enabled|supported)|roles? (are|is) supported, got \W?(system|developer)|(unsupported|unknown|invalid|unexpected) (message )?role\W{0,4}(system|developer)|unknown variant \W?(system|developer)|\b(system|developer)\W? is not (a valid|one of|supported|allowed)|system messages? (must|should|can only) be (at|the) (the )?(beginning|first|start)|only user,? (and )?(assistant|model)/i;

function quirkForRoles({ words, complaints }: Rejection, messages: unknown): ServerQuirk | undefined {
  const roles = rolesIn(messages);
  const hasSystem = roles.some(isInstructionRole);
  const isRoleRefused = complaints.some(({ path }) => path.at(-1) === 'role');
  if (hasSystem && (ofSystem.test(words) || (isRoleRefused && !/\bsystem\b/.test(words))))
    return 'no-system-role';
  if (!alternation.test(words)) return undefined;
  if (!rolesAlternate(roles)) return 'alternate-roles';
  // Templates that know no system role count it as a turn.
  return hasSystem ? 'no-system-role' : undefined;
}

function rolesIn(messages: unknown): readonly string[] {
  if (!Array.isArray(messages)) return [];
  return messages.map((each: unknown) =>
    typeof each === 'object' && each !== null && 'role' in each ? String(each.role) : '',
  );
}

function isInstructionRole(role: string): boolean {
  return role === 'system' || role === 'developer';
}

function rolesAlternate(roles: readonly string[]): boolean {
  const turns = roles.filter((role) => !isInstructionRole(role));
  return turns.every((role, at) => {
    const before = turns[at - 1];
    return role === 'tool' || (role !== before && !(role === 'user' && before === 'tool'));
  });
}

/** Some servers name fields in the words of their own code. */
function toCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const expressions = new Map<string, RegExp>();

function expression(pattern: string, name: string): RegExp {
  const names = [...fields.map((field) => field.name), ...ofThoughts].join('|');
  const source = pattern
    .replaceAll('@', `(?:['"\`\\[(]*(?:${names})\\b['"\`]*[\\s,/]{1,3}(?:and |or )?){0,8}$`)
    .replaceAll(
      '$',
      `['"\`\\[(]*(?:messages[\\w.[\\]]{0,12}\\.)?(?<!\\w)(?:${name}|${toCamelCase(name)})(?!\\w)['"\`\\])]*`,
    );
  const known = expressions.get(source) ?? new RegExp(source, 'i');
  expressions.set(source, known);
  return known;
}

/** From the match to the end of its sentence, without the name, whose own words must not count. */
function surroundingSentence(words: string, at: number, length: number, name: string): string {
  const start = Math.max(words.lastIndexOf('. ', at), words.lastIndexOf('\n', at), 0);
  const rest = words.slice(at + length);
  const end = rest.search(/\n|\.\s+(?!\S*\d)/);
  return words.slice(start, at + length + (end < 0 ? rest.length : end)).replaceAll(name, '');
}

const maxWords = 4_000;
/** What is repeated of the request says nothing about what is refused. */
const repeated = new Set(['input', 'ctx', 'url', 'request', 'request_id', 'trace', 'traceback', 'stack']);
/** Lists of what would be right: they name every field. */
const choices =
  /(expected one of|supported (values|parameters|fields|params) (are|include)|valid (fields|parameters|keys) (are|include)|(allowed|permitted|known) (fields|parameters|params|keys)( are| include)?|possible values)\b\W*[^\n]*?(?=\.\s|\n|$)/gi;

function parseRejection(text: string): Rejection {
  const read = plainJson(text);
  const texts: string[] = [];
  const issues: Rejection['complaints'][number][] = [];
  const named = { param: '', code: '' };
  const visit = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      const { loc, param, code }: Record<'loc' | 'param' | 'code', unknown> = {
        loc: null,
        param: null,
        code: null,
        ...value,
      };
      const path: unknown[] | null = Array.isArray(loc) ? loc : null;
      const inner = Object.entries(value).filter(([key]) => !repeated.has(key) && key !== 'loc');
      if (path)
        issues.push({
          path: path.map(String),
          words: inner
            .map(([, each]) => each)
            .filter((each) => typeof each === 'string')
            .join(' '),
        });
      if (typeof param === 'string') named.param ||= param;
      if (typeof code === 'string') named.code ||= code;
      for (const [, each] of inner) visit(each);
    }
  };
  visit(read === undefined ? text : read);
  const words = texts
    .join('\n')
    .replaceAll(/\\+(["'])/g, '$1')
    .slice(0, maxWords);
  return { words: words.replaceAll(choices, '$1 …'), complaints: issues, ...named };
}
