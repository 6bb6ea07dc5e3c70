import { describe, expect, it } from 'vitest';
import { quirkForRejection } from './refused-field.ts';

const system = { role: 'system', content: '' };
const user = { role: 'user', content: '' };
const tool = { role: 'tool', content: '' };
const assistant = { role: 'assistant', content: '' };
const schema = { type: 'json_schema' };
const all = {
  messages: [system, user],
  stream_options: { include_usage: true },
  response_format: schema,
  max_tokens: 500,
  temperature: 0.2,
  top_p: 0.9,
  seed: 1,
  parallel_tool_calls: true,
  reasoning_effort: 'low',
};
const later = {
  ...all,
  max_tokens: undefined,
  max_completion_tokens: 500,
  response_format: { type: 'json_object' },
};

const error = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } });
const extra = (...path: string[]) =>
  JSON.stringify({
    detail: [
      {
        type: 'extra_forbidden',
        loc: ['body', ...path],
        msg: 'Extra inputs are not permitted',
        input: 'max_tokens',
      },
    ],
  });

describe('what a server refuses, by its words', () => {
  it.each<[string, number, string, object]>([
    [
      'max-completion-tokens',
      400,
      error(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        { param: 'max_tokens', code: 'unsupported_parameter' },
      ),
      all,
    ],
    ['max-completion-tokens', 422, extra('max_tokens'), all],
    ['max-completion-tokens', 400, error('max_tokens is deprecated; use max_completion_tokens'), all],
    [
      'no-output-limit',
      400,
      error('Unrecognized request argument supplied: max_completion_tokens', { param: null }),
      later,
    ],
    ['no-output-limit', 400, error('max_completion_tokens: Extra inputs are not permitted'), later],
    ['no-stream-options', 422, extra('stream_options'), all],
    [
      'no-stream-options',
      400,
      JSON.stringify({
        object: 'error',
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]",
        code: 400,
      }),
      all,
    ],
    [
      'no-stream-options',
      400,
      JSON.stringify({
        error_code: 'BAD_REQUEST',
        message: 'Invalid request: json: unknown field "stream_options"',
      }),
      all,
    ],
    [
      'no-stream-options',
      422,
      'Failed to deserialize the JSON body into the target type: unknown field `stream_options`, expected one of `messages`, `max_tokens`, `temperature` at line 1 column 212',
      all,
    ],
    [
      'no-stream-options',
      400,
      error("Additional properties are not allowed ('stream_options' was unexpected)"),
      all,
    ],
    [
      'no-parallel-tool-calls',
      400,
      error("Unsupported parameter: 'parallel_tool_calls' is not supported with this model."),
      all,
    ],
    [
      'no-parallel-tool-calls',
      400,
      error("'parallel_tool_calls' is only allowed when 'tools' are specified.", {
        param: 'parallel_tool_calls',
      }),
      all,
    ],
    [
      'no-reasoning-effort',
      400,
      error(
        "litellm.UnsupportedParamsError: openai does not support parameters: ['reasoning_effort'], for model=m. To drop these, set `litellm.drop_params=True`",
      ),
      all,
    ],
    ['no-reasoning-effort', 400, error('reasoning_effort is not supported by this model'), all],
    [
      'no-temperature',
      400,
      error(
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        { param: 'temperature', code: 'unsupported_value' },
      ),
      all,
    ],
    [
      'no-temperature',
      400,
      error(
        "litellm.UnsupportedParamsError: gpt-5 models don't support temperature=0.2. Only temperature=1 is supported.",
      ),
      all,
    ],
    ['no-temperature', 400, error('invalid temperature: only 1 is allowed for this model'), all],
    [
      'no-top-p',
      400,
      error('`temperature` and `top_p` cannot both be specified for this model. Please use only one.'),
      all,
    ],
    ['no-top-p', 400, error('This model does not support the top_p parameter.'), all],
    ['no-seed', 501, error('property "seed" is unsupported'), all],
    ['no-seed', 400, error('property seed is not supported'), all],
    ['json-object', 400, error('This response_format type is unavailable now', { param: null }), all],
    [
      'json-object',
      400,
      error("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."),
      all,
    ],
    [
      'json-object',
      400,
      error("Invalid value: 'json_schema'. Supported values are: 'text' and 'json_object'.", {
        param: 'response_format.type',
      }),
      all,
    ],
    [
      'json-object',
      422,
      'response_format.type: unknown variant `json_schema`, expected `text` or `json_object`',
      all,
    ],
    [
      'json-object',
      422,
      JSON.stringify({
        detail: [
          {
            type: 'literal_error',
            loc: ['body', 'response_format', 'type'],
            msg: "Input should be 'text' or 'json_object'",
          },
        ],
      }),
      all,
    ],
    ['json-object', 400, '{"detail":"Unsupported parameter: response_format"}', all],
    [
      'json-in-prompt',
      400,
      JSON.stringify({ error: "'response_format.type' must be 'json_schema' or 'text'" }),
      later,
    ],
    ['json-in-prompt', 400, error('This response_format type is unavailable now'), later],
    [
      'alternate-roles',
      400,
      JSON.stringify({
        object: 'error',
        message:
          'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
      }),
      { messages: [system, user, user] },
    ],
    [
      'alternate-roles',
      500,
      error(
        'Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.',
      ),
      { messages: [user, assistant, tool, user] },
    ],
    [
      'alternate-roles',
      400,
      error("Unexpected role 'user' after role 'tool'"),
      { messages: [user, assistant, tool, user] },
    ],
    [
      'no-system-role',
      400,
      error('Conversation roles must alternate user/assistant/user/assistant/...'),
      { messages: [system, user, assistant, user] },
    ],
    ['no-system-role', 400, error('System role not supported'), all],
    ['no-system-role', 500, error('Only user, assistant and tool roles are supported, got system'), all],
    [
      'no-system-role',
      400,
      error("Unsupported value: 'messages[0].role' does not support 'system' with this model."),
      all,
    ],
    ['no-system-role', 400, error('Developer instruction is not enabled for models/gemma-3-27b-it'), all],
  ])('%s: %d %s', (quirk, status, text, request) => {
    expect(quirkForRejection({ status, text, sent: { ...request } })).toBe(quirk);
  });

  it.each<[number, string, object]>([
    [400, error('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'), all],
    [
      400,
      error('max_tokens is too large: 9000. This model supports at most 4096 completion tokens', {
        param: 'max_tokens',
        code: 'invalid_value',
      }),
      all,
    ],
    [400, error('<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]'), all],
    [400, error('Invalid parameter: max_tokens must be less than or equal to 8192'), all],
    [400, error('This model does not support max_tokens greater than 4096'), all],
    [
      400,
      error("Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3."),
      all,
    ],
    [
      400,
      error(
        "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low', 'medium', and 'high'.",
      ),
      all,
    ],
    [
      400,
      error(
        "Invalid schema for response_format 'answer': In context=(), 'additionalProperties' is required.",
      ),
      all,
    ],
    [
      400,
      error(
        'unknown field `thinking`, expected one of `messages`, `max_tokens`, `temperature`, `seed` at line 1',
      ),
      all,
    ],
    [422, extra('messages', '0', 'user', 'name'), all],
    [422, extra('stream_options'), { messages: [user] }],
    [404, error('The model `m` does not exist'), all],
    [400, error('This model’s maximum context length is 8192 tokens; max_tokens is 500.'), all],
    [401, error("Unsupported parameter: 'temperature'"), all],
    [429, error("Unsupported parameter: 'temperature'"), all],
    [500, error('Internal server error'), all],
    [400, error('Conversation roles must alternate user/assistant'), { messages: [user, assistant, user] }],
    [400, '<html><body>Bad Request</body></html>', all],
    [400, '', all],
  ])('nothing: %d %s', (status, text, request) => {
    expect(quirkForRejection({ status, text, sent: { ...request } })).toBeUndefined();
  });
});
