/** What servers write in the place of a reply, in the forms in which people met them, and what it means. */
import { describe, expect, it } from 'vitest';
import { judgeError } from './error-judgement.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const judged = (status: number | undefined, body: unknown, headers = {}) =>
  judgeError({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, nowMs).error;

const error = (message: string, more = {}) => ({ error: { message, ...more } });

describe('a conversation that is too long', () => {
  it.each<[string, number, unknown]>([
    [
      'Cerebras',
      400,
      {
        message:
          'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
        code: 'context_length_exceeded',
      },
    ],
    [
      'Copilot',
      400,
      error('prompt token count of 130000 exceeds the limit of 128000', {
        code: 'model_max_prompt_tokens_exceeded',
      }),
    ],
    ['DeepInfra', 400, error('Requested input length 40000 exceeds maximum input length 32768')],
    [
      'llama.cpp',
      400,
      error('the request exceeds the available context size, try increasing it', {
        type: 'exceed_context_size_error',
      }),
    ],
    [
      'llama.cpp, newer',
      400,
      error('request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it'),
    ],
    ['llama.cpp, older', 500, error('context size exceeded')],
    [
      'LM Studio',
      400,
      {
        error:
          'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      },
    ],
    [
      'LM Studio, older',
      400,
      { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
    ],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        code: '3051',
      },
    ],
    [
      'DashScope',
      400,
      error('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]'),
    ],
    [
      'Together',
      422,
      error(
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`',
      ),
    ],
    [
      'TGI',
      422,
      {
        error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
        error_type: 'validation',
      },
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
      },
    ],
    [
      'vLLM, whose input leaves nothing',
      400,
      error(
        "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens and your request has 4090 input tokens",
      ),
    ],
    ['a server that subtracts', 400, error('max_tokens must be at least 1, got -120.')],
    [
      'SGLang',
      400,
      {
        object: 'error',
        message: "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
      },
    ],
    [
      'OpenAI',
      400,
      error('Your input exceeds the context window of this model.', { code: 'context_length_exceeded' }),
    ],
    [
      'Anthropic',
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'prompt is too long: 213462 tokens > 200000 maximum',
        },
      },
    ],
    [
      'Gemini, streamed',
      400,
      [error('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).')],
    ],
    [
      'Vertex',
      400,
      error(
        'Unable to submit request because the input token count is 40000 but model only supports up to 32768.',
      ),
    ],
    ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
    [
      'xAI',
      400,
      {
        code: 'Client specified an invalid argument',
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
    ],
    [
      'Moonshot',
      400,
      error('Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)'),
    ],
    [
      'MiniMax',
      400,
      { base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit' } },
    ],
    ['Zhipu', 400, error('Prompt exceeds max length', { code: '1261' })],
    ['Fireworks', 400, error('The prompt is too long: 9000, model maximum context length: 8192')],
    [
      'Cohere',
      400,
      {
        message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.',
      },
    ],
    [
      'Poolside',
      400,
      error('Input length 131393 exceeds the maximum allowed input length of 131040 tokens.'),
    ],
    ['Ollama', 400, { error: 'prompt too long; exceeded max context length by 1234 tokens' }],
    [
      'GitHub Models',
      413,
      error('Request body too large for gpt-4o model. Max size: 8000 tokens.', {
        code: 'tokens_limit_reached',
      }),
    ],
    [
      'SiliconFlow',
      400,
      { code: 20015, message: 'length of prompt_tokens (9000) must be less than max_seq_len (8192).' },
    ],
    ['FastAPI', 400, { detail: 'Prompt too long: 5152 tokens exceeds max_seq_len 2048' }],
    [
      'OpenRouter',
      400,
      error('Provider returned error', {
        code: 400,
        metadata: { raw: '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}' },
      }),
    ],
  ])('as %s writes it', (_, status, body) => {
    expect(judged(status, body)).toMatchObject({ kind: 'context-overflow', retryable: false });
  });

  it.each<[string, number, unknown, object]>([
    [
      'a limit of the reply alone',
      400,
      error(
        'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
      ),
      { kind: 'bad-request' },
    ],
    [
      'Anthropic’s limit of the reply',
      400,
      error('max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3'),
      { kind: 'bad-request' },
    ],
    [
      'Bedrock’s limit of the reply',
      400,
      {
        message:
          'The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.',
      },
      { kind: 'bad-request' },
    ],
    [
      'DashScope’s limit of the reply',
      400,
      error('Range of max_tokens should be [1, 8192]'),
      { kind: 'bad-request' },
    ],
    [
      'tokens a minute',
      429,
      error('Rate limit reached for m on tokens per min. Limit 6000, Used 5000, Requested 2000.', {
        code: 'rate_limit_exceeded',
      }),
      { kind: 'rate-limit', retryable: true },
    ],
    [
      'more tokens than a minute has',
      429,
      error('Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000.', {
        code: 'rate_limit_exceeded',
      }),
      { kind: 'rate-limit', retryable: false },
    ],
    [
      'tokens a minute, as HTTP 413',
      413,
      error('Limit 6000 tokens per minute, Used 5000, Requested 2000', { code: 'rate_limit_exceeded' }),
      { kind: 'rate-limit', retryable: true },
    ],
    [
      'Bedrock’s throttle',
      429,
      { __type: 'ThrottlingException', message: 'Too many tokens, please wait before trying again.' },
      { kind: 'rate-limit', retryable: true },
    ],
    [
      'the size of a body, as a proxy writes it',
      413,
      '<html><h1>413 Request Entity Too Large</h1></html>',
      {
        kind: 'bad-request',
        retryable: false,
        message: expect.stringMatching(/a proxy.*no limit of the model/),
      },
    ],
    [
      'an image',
      400,
      error(
        'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
      ),
      { kind: 'bad-request' },
    ],
    ['an image, as HTTP 413', 413, error('The image is too large: 9000 pixels'), { kind: 'bad-request' }],
    ['a wrong key', 401, error('The context length of your key is wrong'), { kind: 'auth' }],
  ])('is not %s', (_, status, body, expected) => {
    expect(judged(status, body)).toMatchObject(expected);
  });
});

describe('a limit on the reply that is too large', () => {
  const vllm = "is too large: 32768. This model's maximum context length is 16384 tokens and your request";
  it.each<[number, number | undefined, string]>([
    [
      Math.floor(4046 * 0.95),
      4096,
      "This model's maximum context length is 4096 tokens. However, you requested 32768 output tokens and your prompt contains 50 input tokens, for a total of 32818 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
    ],
    [4096, undefined, 'max_tokens is too large: 32768. This model supports at most 4096 completion tokens'],
    [
      8192,
      undefined,
      'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for m',
    ],
    [
      4096,
      undefined,
      'The maximum tokens you requested exceeds the model limit of 4096. Try again with less.',
    ],
    [8192, undefined, '<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]'],
    [8192, undefined, 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'],
    [
      12288,
      undefined,
      'The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 12288, but got 32768 instead.',
    ],
    [8000, undefined, 'max_tokens for `llama-3.1-8b-instant` must be less than or equal to 8000'],
    [
      4000,
      undefined,
      'max tokens must be less than or equal to 4000, the maximum output length for this model',
    ],
    [8192, undefined, 'max_tokens 不能超过 8192'],
    [
      8192,
      undefined,
      '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`',
    ],
    [4096, undefined, 'This model does not support max_tokens greater than 4096'],
    [65_536, undefined, 'max_completion_tokens cannot exceed 65,536.'],
    [
      8192,
      undefined,
      'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again. (tokens)',
    ],
    [
      15_507,
      16_384,
      `'max_tokens' or 'max_completion_tokens' ${vllm} has 60 input tokens (32768 > 16384 - 60).`,
    ],
    [
      566,
      4096,
      "This model's maximum context length is 4096 tokens. However, you requested 8692 tokens (3500 in the messages, 5192 in the completion).",
    ],
    [
      115_018,
      131_072,
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (9000 of text input, 1000 of tool input, 130000 in the output).",
    ],
    [
      6832,
      8192,
      "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 1000 tokens from the input messages and 8000 tokens for the completion.",
    ],
    [9500, 200_000, 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
    [
      1133,
      8193,
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 7000 `inputs` tokens and 4096 `max_new_tokens`',
    ],
  ])('%d of %s: %s', (tokens, contextTokens, message) => {
    expect(judged(400, error(message))).toMatchObject({
      kind: 'bad-request',
      retryable: false,
      outputLimit: { tokens, ...(contextTokens === undefined ? {} : { contextTokens }) },
    });
  });

  it.each<[number, string]>([
    [400, 'Range of input length should be [1, 129024]'],
    [400, "Invalid 'temperature': expected a value <= 2, but got 3."],
    [400, 'The prompt is too long: 9000, model maximum context length: 8192'],
    [429, 'Rate limit: at most 4096 completion tokens per minute'],
  ])('is not HTTP %d: %s', (status, message) => {
    expect(judged(status, error(message)).outputLimit).toBeUndefined();
  });
});

describe('what to do', () => {
  it.each<[number, unknown, string, RegExp]>([
    [402, error('Insufficient Balance'), 'rate-limit', /no money or allowance left.*Insufficient Balance$/],
    [402, {}, 'rate-limit', /no money or allowance left/],
    [
      200,
      { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
      'rate-limit',
      /Add money/,
    ],
    [
      200,
      error('用户额度不足, 剩余额度: $0.00', { code: 'insufficient_user_quota' }),
      'rate-limit',
      /Add money/,
    ],
    [
      429,
      error('Your account is suspended due to insufficient balance', {
        type: 'exceeded_current_quota_error',
      }),
      'rate-limit',
      /Add money/,
    ],
    [
      500,
      { type: 'error', error: { type: 'api_error', message: 'insufficient balance (1008)' } },
      'rate-limit',
      /Add money/,
    ],
    [
      429,
      error('You exceeded your current quota.', {
        status: 'RESOURCE_EXHAUSTED',
        details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }],
      }),
      'rate-limit',
      /the quota of a day is used up/,
    ],
    [
      429,
      error('Your prepayment credits are depleted.', { status: 'RESOURCE_EXHAUSTED' }),
      'rate-limit',
      /Add money/,
    ],
    [
      403,
      error('m requires moderation on OpenAI. Your input was flagged for "x". No credits were charged.'),
      'refusal',
      /flagged/,
    ],
    [400, error('Content Exists Risk', { code: 'invalid_request_error' }), 'refusal', /Risk/],
    [400, error('系统检测到输入或生成内容可能包含不安全或敏感内容', { code: '1301' }), 'refusal', /敏感/],
    [
      400,
      error("Invalid 'tools[0].function.description': string too long.", {
        code: 'string_above_max_length',
      }),
      'bad-request',
      /too long/,
    ],
    [
      422,
      {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'Extra inputs are not permitted' }],
      },
      'bad-request',
      /calls=text/,
    ],
    [400, error("'tools' param is not supported for this model"), 'bad-request', /calls=text/],
    [200, { base_resp: { status_code: 1027, status_msg: 'output new_sensitive' } }, 'refusal', /sensitive/],
    [200, { error_code: 110, error_msg: 'Access token invalid or no longer valid' }, 'auth', /Access token/],
    [400, { detail: 'Context length 5000 is greater than max_seq_len 4096' }, 'context-overflow', /5000/],
    [
      400,
      { message: '{"external_model_error":{"message":"max_tokens: 32768 > 8192, which is wrong"}}' },
      'bad-request',
      /32768/,
    ],
    [
      429,
      error('You exceeded your current quota.', { code: 'insufficient_quota' }),
      'rate-limit',
      /no money or allowance left.*your current quota/,
    ],
    [
      429,
      error('余额不足或无可用资源包,请充值。', { code: '1113' }),
      'rate-limit',
      /no money or allowance left/,
    ],
    [
      400,
      error('temperature must be less than or equal to 1'),
      'bad-request',
      /no such value of temperature; set another one \(--setting temperature=VALUE\)/,
    ],
    [
      422,
      {
        detail: [
          {
            loc: ['body', 'reasoning_effort'],
            msg: "Input should be 'low', 'medium' or 'high'",
            type: 'enum',
          },
        ],
      },
      'bad-request',
      /--setting effort=VALUE/,
    ],
    [403, error('Key limit exceeded (daily limit).'), 'rate-limit', /the key itself is right/],
    [403, error('Your account has insufficient credits'), 'rate-limit', /Add money/],
    [403, error('You may not use this model'), 'auth', /^HTTP 403: You may not use this model$/],
    [
      400,
      error('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      'bad-request',
      /--set calls=text.*--tool-call-parser NAME/,
    ],
    [
      400,
      error('registry.ollama.ai/library/gemma:2b does not support tools', { type: 'api_error' }),
      'bad-request',
      /--set calls=text/,
    ],
    [
      413,
      error('Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000', {
        type: 'tokens',
        code: 'rate_limit_exceeded',
      }),
      'context-overflow',
      /the account's tokens per minute, so waiting does not help.*TPM/,
    ],
    [404, error('No endpoints found that support tool use.'), 'bad-request', /--set calls=text/],
  ])('HTTP %d: %j', (status, body, kind, message) => {
    expect(judged(status, body)).toMatchObject({
      kind,
      retryable: false,
      message: expect.stringMatching(message),
    });
  });
});

describe('an error in any form', () => {
  it.each<[unknown, string]>([
    [{ object: 'error', message: 'no such thing' }, 'no such thing'],
    [{ error: 'no such thing' }, 'no such thing'],
    [{ message: 'no such thing' }, 'no such thing'],
    [{ type: 'error', error: { type: 'x', message: 'no such thing' } }, 'no such thing'],
    [{ errors: [{ code: 7, message: 'no such thing' }], success: false }, 'no such thing'],
    [{ errors: ['no such thing'] }, 'no such thing'],
    [{ detail: 'no such thing' }, 'no such thing'],
    [
      {
        detail: [
          { loc: ['body', 'top_k'], msg: 'no such field', type: 'extra' },
          { loc: ['body', 'n'], msg: 'too many' },
        ],
      },
      'body.top_k: no such field; body.n: too many',
    ],
    [{ title: 'Bad', detail: 'no such thing', status: 400 }, 'no such thing'],
    [{ error: { message: '{"error":{"message":"no such thing"}}' } }, 'no such thing'],
    [{ fault: { faultstring: 'no such thing' } }, 'no such thing'],
    ['<html><style>p{}</style><p>no such\n thing</p>', 'no such thing'],
    ['no such thing', 'no such thing'],
  ])('%j', (body, words) => {
    expect(judged(400, body)).toMatchObject({ kind: 'bad-request', message: `HTTP 400: ${words}` });
  });

  it.each([
    408, 409, 425, 429, 498, 499, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530,
  ])('HTTP %i is tried again', (status) =>
    expect(judged(status, '<html>Overloaded</html>').retryable).toBe(true),
  );
});

describe('a wait', () => {
  const date = new Date(nowMs + 5_000);
  it.each<[string, number | undefined]>([
    ['5', 5_000],
    ['0.5', 500],
    ['5s', 5_000],
    ['5 seconds', 5_000],
    ['500ms', 500],
    ['1m30s', 90_000],
    ['2 minutes', 120_000],
    [date.toUTCString(), 5_000],
    ['Sunday, 01-Mar-26 12:00:05 GMT', 5_000],
    ['Sun Mar  1 12:00:05 2026', 5_000],
    ['2026-03-01T12:00:05Z', 5_000],
    ['2026-03-01T13:00:05+01:00', 5_000],
    [String((nowMs + 5_000) / 1_000), 5_000],
    [String(nowMs + 5_000), 5_000],
    ['5, 9', 9_000],
    [`${date.toUTCString()}, 9`, 9_000],
    ['1771404540', undefined],
    ['Sun, 06 Nov 1994 08:49:37 GMT', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['1e3', undefined],
    ['', undefined],
  ])('Retry-After: %s', (value, waitMs) => {
    expect(judged(429, {}, { 'retry-after': value }).retryAfterMs).toBe(waitMs);
  });

  it.each<[unknown, number | undefined]>([
    [error('Rate limit reached. Please try again in 7.66s.'), 7_660],
    [error('Please try again in 6m0s. Visit us'), 360_000],
    [error('Please retry after 20 seconds.'), 20_000],
    [error('Try again in 2 minutes'), 120_000],
    [error('try again in 120ms'), 120],
    [error('Please wait 1 minute and 30 seconds'), 90_000],
    [error('later', { retry_after: 6 }), 6_000],
    [error('later', { retry_after_ms: 600 }), 600],
    [error('later', { metadata: { headers: { 'Retry-After': '6' } } }), 6_000],
    [
      error('later', {
        metadata: {
          headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(nowMs + 30_000) },
        },
      }),
      30_000,
    ],
    [error('later', { metadata: { headers: { 'X-RateLimit-Reset': String(nowMs + 30_000) } } }), 30_000],
    [error('later', { details: [{ retryDelay: { seconds: '6', nanos: 500_000_000 } }] }), 6_500],
    [{ error: 'Model is loading', estimated_time: 20.5 }, 20_500],
    [{ detail: { retry_after: '6s' } }, 6_000],
    ['Too fast. Try again in 3 s', 3_000],
    [error('later', { prompt: { retry_after: 600 } }), undefined],
    [error('try again in a while'), undefined],
  ])('in the error: %j', (body, waitMs) => {
    expect(judged(429, body).retryAfterMs).toBe(waitMs);
  });

  it('is read at once, however long the text', () => {
    const long = 'try again in 1'.repeat(20_000) + 'prompt exceeds '.repeat(20_000);
    expect(judged(429, error(long), { 'retry-after': '1m'.repeat(50_000) }).retryAfterMs).toBeUndefined();
    expect(judged(400, error(long))).toMatchObject({ kind: 'bad-request' });
  });
});
