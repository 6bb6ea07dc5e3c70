/** What is read of a reply of chat completions, chunk or complete. Each field that is broken is missing, alone. */
import { z } from 'zod';

const text = z.string().nullish().catch(null);
const json = z.json();

/** What should be text and is not is kept as its JSON. */
const anyText = z
  .union([z.string(), z.json().transform((value) => (value === null ? null : JSON.stringify(value)))])
  .nullish()
  .catch(null);

const calledFunction = z.object({ name: text, arguments: anyText });

const toolCall = z.object({
  index: z.number().nullish().catch(null),
  id: text,
  name: text,
  arguments: anyText,
  function: calledFunction.nullish().catch(null),
  extra_content: z.record(z.string(), json).nullish().catch(null),
});

/** Mistral nests text below `thinking`, others write a string there. */
const innerText = z.union([
  z.string(),
  z.array(z.object({ text: z.string().catch('') }).catch({ text: '' })),
]);

const contentPart = z.union([
  z.string(),
  z.object({
    type: z.string().catch('text'),
    text,
    thinking: innerText.nullish().catch(null),
    reasoning: innerText.nullish().catch(null),
    refusal: text,
  }),
  z.null(),
]);

const content = z
  .union([z.string(), z.array(contentPart.catch(null)), contentPart])
  .nullish()
  .catch(null);

const details = z.array(z.record(z.string(), json).nullable().catch(null)).nullish().catch(null);

const message = z.object({
  content,
  reasoning: text,
  reasoning_content: text,
  reasoning_details: details,
  refusal: text,
  tool_calls: z
    .union([z.array(toolCall.nullable().catch(null)), toolCall.transform((call) => [call])])
    .nullish()
    .catch(null),
  function_call: calledFunction.nullish().catch(null),
});

const choice = z.object({
  index: z.number().nullish().catch(null),
  delta: message.nullish().catch(null),
  message: message.nullish().catch(null),
  text,
  finish_reason: anyText,
  native_finish_reason: anyText,
});

export const chunkSchema = z.object({
  choices: z.array(choice.nullable().catch(null)).nullish().catch(null),
  model: text,
  service_tier: text,
});

export type Choice = z.infer<typeof choice>;
export type ChatMessage = z.infer<typeof message>;
export type ContentPart = z.infer<typeof contentPart>;
export type ToolCallDelta = z.infer<typeof toolCall>;
