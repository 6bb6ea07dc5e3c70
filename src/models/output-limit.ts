/** What a server permits of a reply, read from an error about a limit that it finds too large: a table of wordings. Pure. */
import type { OutputLimit } from '../core/model.ts';

/** `#` stands for a number in any quotes, `FIELD` for the name of the limit. The first number is the most that is permitted. */
const permitted: readonly string[] = [
  // OpenAI: This model supports at most 4096 completion tokens
  '(?:at most|up to|maximum of|no more than) # (?:completion|output|new|generated) tokens',
  // DashScope, DeepSeek: the valid range of max_tokens is [1, 8192]
  'FIELD[^.\\n]{0,60}?[\\[(]\\d+, ?#[\\])]',
  'FIELD[^.\\n]{0,40}? between \\d+ and #',
  // Groq, Cohere: must be less than or equal to `8192`
  'FIELD(?: for \\S{1,80})?[^.\\n]{0,60}?(?:<=|less than or equal to|不能超过|at most|not exceed|cannot exceed|no (?:more|greater|larger|higher) than|up to) #',
  'FIELD[^\\n]{0,120}?expected a value <= #',
  'FIELD (?:values? )?(?:greater|larger|higher|more) than #',
  'FIELD[^.\\n]{0,60}?(?:exceeds?|above|over) (?:the )?(?:[a-z-]+ ){0,4}(?:of|is|\\() ?#',
  // Anthropic: max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens
  'FIELD: [\\d,]+ > #, which is the maximum',
  // Bedrock: The maximum tokens you requested exceeds the model limit of 4096
  'maximum tokens you requested exceeds the model limit of #',
];
/** Of these, the number itself is too large. */
const excluded: readonly string[] = [
  // Vertex: the supported range is from 1 (inclusive) to 8193 (exclusive)
  'to # \\(exclusive\\)',
  'FIELD[^.\\n]{0,40}?(?:must|should|has to) be (?:<|less than|smaller than|lower than|below) #',
];

const name = '\\W?max[_ ]?(?:completion_?|output_?|new_?)?tokens\\W?(?: value)?';
const number = '[`\'"]?(\\d[\\d,_]{0,14})(?![\\d,_]*\\d)[`\'"]?';

function compilePatterns(wordings: readonly string[]): readonly RegExp[] {
  return wordings.map((each) => new RegExp(each.replaceAll('FIELD', name).replaceAll('#', number), 'i'));
}

const permittedExpressions = compilePatterns(permitted);
const excludedExpressions = compilePatterns(excluded);

/** Input and reply together: each names the context, and what the request has or the reply wants of it. */
const context = /context (?:length|window|size|limit)(?: is| of)? ([\d,]+) tokens/i;
const inputs =
  /\b(?:request|prompt|input|you) (?:has|have|contains?) (?:at least )?([\d,]+) (?:input )?tokens/i;
const requested = /requested (?:about |a total of )?([\d,]+) tokens/i;
const ofReply = /\b([\d,]+) (?:tokens )?(?:in the (?:completion|output)|for the completion)/i;
/** Anthropic: exceed context limit: 190000 + 20000 > 200000 */
const sum = /context limit: ([\d,]+) \+ ([\d,]+) > ([\d,]+)/i;
/** Text Generation Inference: must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens` */
const given = /must be <= ([\d,]+)\. Given: ([\d,]+) `?inputs`? tokens/i;

/** Undefined where the error says nothing of a limit on the reply. `tokens` may be below one: then the input alone is too long. */
export function readOutputLimit(message: string): OutputLimit | undefined {
  const words = message.slice(0, maxWords);
  const shared = parseSharedLimit(words);
  if (shared) return { tokens: approximately(shared.context - shared.input), contextTokens: shared.context };
  if (!/tokens/i.test(words)) return undefined;
  const lower = firstNumber(excludedExpressions, words);
  const most = lower === undefined ? firstNumber(permittedExpressions, words) : lower - 1;
  return most === undefined || most < 1 ? undefined : { tokens: most };
}

/** Servers count roughly, and some by another tokenizer than the model behind them. */
function approximately(tokens: number): number {
  return Math.floor(tokens * 0.95);
}

const maxWords = 4_000;

function parseSharedLimit(words: string): { readonly context: number; readonly input: number } | undefined {
  const summed = sum.exec(words);
  if (summed) return { context: numberOf(summed[3]), input: numberOf(summed[1]) };
  const pair = given.exec(words);
  if (pair) return { context: numberOf(pair[1]), input: numberOf(pair[2]) };
  const size = context.exec(words);
  if (!size) return undefined;
  const total = requested.exec(words);
  const reply = ofReply.exec(words);
  if (total && reply) return { context: numberOf(size[1]), input: numberOf(total[1]) - numberOf(reply[1]) };
  const input =
    /too large: [\d,]+|max_?(?:completion_)?tokens|requested [\d,]+ output tokens/i.test(words) &&
    inputs.exec(words);
  return input ? { context: numberOf(size[1]), input: numberOf(input[1]) } : undefined;
}

function firstNumber(patterns: readonly RegExp[], words: string): number | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(words)?.[1];
    if (found !== undefined) return numberOf(found);
  }
  return undefined;
}

function numberOf(text = ''): number {
  return Number(text.replaceAll(/[,_]/g, ''));
}
