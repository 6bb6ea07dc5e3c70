import { expect, test } from 'vitest';
import { lacksVision } from './openai-compatible.ts';

test.each([
  'deepseek/deepseek-r1:free',
  'deepseek-chat',
  'openai/gpt-3.5-turbo',
  'gpt-oss:20b',
  'openai/o3-mini',
  'google/gemma-2-9b-it',
  'meta-llama/llama-3.3-70b-instruct',
  'llama3:8b',
  'mistralai/mixtral-8x7b',
  'qwen/qwen3-coder',
])('%s reads text alone', (name) => expect(lacksVision(name)).toBe(true));

test.each([
  'openai/gpt-4o',
  'openai/o3',
  'google/gemma-3-27b-it',
  'meta-llama/llama-3.2-11b-vision-instruct',
  'llava-llama3:8b',
  'deepseek-vl2',
  'qwen/qwen2.5-vl-72b',
  'any',
])('%s is asked', (name) => expect(lacksVision(name)).toBe(false));
