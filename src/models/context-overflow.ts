/** How servers write that a conversation is longer than their model reads: codes, and a table of wordings. Pure. */

/** Codes that mean nothing else. */
const codes =
  /context[_ ]?(length|window|size)[_ ]?(exceed|overflow|error|limit)|exceed_context_size|max_prompt_tokens_exceeded|(prompt|input)_(is_)?too_(long|large)|request_too_large|tokens_limit_reached/i;

/** `…` stands for at most sixty characters. Each line names who writes so, as far as is known. */
const wordings: readonly string[] = [
  // OpenAI, Azure, DeepSeek, OpenRouter, vLLM, SGLang, NVIDIA NIM, Fireworks, Mistral
  "(maximum|max|model'?s) context (length|window|size)",
  'maximum context length',
  'context (length|window|size|limit)…(exceed|overflow|too small)',
  'exceed(s|ed|ing)?…context (length|window|size|limit)',
  'reduce the length of (the|your) (messages|prompt|input)',
  "(longer|greater|larger|more) than…(context|maximum input|model'?s maximum)",
  'fit…context (length|window|size)',
  // Anthropic, Fireworks, Ollama, Atlas
  '(prompt|input|conversation|request|context)( is|:)? too (long|many tokens)',
  '(prompt|input)( length)? too (long|large)',
  'tokens > [\\d,]+ maximum',
  // Bedrock, Cohere
  'too many input tokens',
  'exceeds the max(imum)? input token limit',
  'too many tokens:…prompt',
  'tokens in the prompt cannot exceed',
  // Gemini, Vertex
  'input token count…(exceeds|only supports)',
  // xAI, Copilot
  'maximum prompt length',
  'prompt token count…exceed',
  // DeepInfra, Poolside, TensorRT-LLM, Doubao
  '(input|prompt)( text)?( length| tokens?)…exceed…(max|limit)',
  '(input|prompt|context)…max_(seq_len|model_len|input_tokens|prompt_tokens)',
  'total tokens…exceed max message tokens',
  "total tokens exceeds the model's max",
  // SiliconFlow
  'prompt_tokens…must be less than',
  // Text Generation Inference, Together
  '`?inputs`? (tokens…)?must (be <=|have less than)',
  // DashScope
  'range of input length should be',
  'input…exceed…(maximum|max) (input )?length',
  // Moonshot
  'exceed(s|ed)?…model token limit',
  'request exceeded…token limit',
  // MiniMax
  'token limit exceeded',
  // Zhipu
  'prompt exceeds max length',
  // LM Studio
  'tokens to keep from…initial prompt',
  'when context (the )?overflows',
  // A server that subtracts a long input from its context
  'max_?(completion_)?tokens…(at least|greater than|positive)…(got|given|received|was|is) -\\d',
  // GitHub Models
  'request body too large for…tokens',
  // Baidu, Zhipu
  'prompt 超长',
  '(输入|上下文|提示词)…(超长|过长|超过|超出)',
];

const wording = new RegExp(wordings.join('|').replaceAll('…', '[\\s\\S]{0,60}?'), 'i');

/** A limit on the speed of requests names tokens, too, and is over when one has waited. */
const rateLimit =
  /\bper[ _-]?(min(ute)?|second|hour|day)\b|\b(TPM|RPM|TPD|RPD)\b|rate[ _-]?limit|thrott|please wait/i;

/** Files that are too big, in what only they have. */
const file = /\b(image|picture|photo|audio|video|pdf|document|file|attachment)s?\b/i;
const ofFile = /\b(bytes|[KMG]i?B|pixels?|pages?|megapixels?|dimensions?|too many images)\b/i;

export type OverflowEvidence = {
  readonly status: number | undefined;
  readonly codes: string;
  readonly message: string;
};

/** Whether the request is refused for its length, and would be read if it were shorter. */
export function isContextOverflow({ status, codes: found, message }: OverflowEvidence): boolean {
  if ([401, 402, 403, 404].includes(status ?? 0)) return false;
  if (file.test(message) && ofFile.test(message) && !/\btokens?\b|context/i.test(message)) return false;
  if (rateLimit.test(message) || /rate_?limit|thrott/i.test(found)) return false;
  if (codes.test(found)) return true;
  // Also a name or a description may be too long.
  if (/string_above_max_length/.test(found) && /\b(messages|input|prompt)\b/.test(message)) return true;
  return status !== 429 && wording.test(message);
}

/** More tokens than a whole minute has: no wait helps, only a shorter request. */
export function isOnlyRateLimit(message: string): boolean {
  const asked = /\bLimit:? ([\d,]{1,15}),? [\s\S]{0,40}?\bRequested:? ([\d,]{1,15})/i.exec(message);
  if (!asked || !rateLimit.test(message) || /\bUsed\b/i.test(message)) return false;
  const [limit, requested] = asked.slice(1).map((text) => Number(text.replaceAll(',', '')));
  return requested !== undefined && limit !== undefined && requested > limit;
}
