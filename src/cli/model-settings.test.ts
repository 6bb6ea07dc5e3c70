import { describe, expect, it } from 'vitest';
import { coded } from '../../test/support/coded.ts';
import { parseModelSettings } from './model-settings.ts';

describe('parseModelSettings', () => {
  it('reads settings of all roles and of one', () => {
    const texts = [
      'temperature=0.1',
      'solver.effort=high',
      'solver.seed=-3',
      'top_p=1',
      'solver.max_output_tokens=9',
    ];
    expect(parseModelSettings([...texts, 'grader.thinking_level=low', 'thinking_budget=32768'])).toEqual({
      default: { temperature: 0.1, topP: 1, thinkingBudgetTokens: 32_768 },
      solver: { reasoningEffort: 'high', seed: -3, maxOutputTokens: 9 },
      grader: { reasoningEffort: 'low' },
    });
    expect(parseModelSettings([])).toEqual({});
  });

  it.each([
    ['temperature', '"temperature" sets nothing. The settings of models are temperature, top_p'],
    ['warmth=1', 'sets nothing'],
    ['temperature=warm', 'It must be a number from 0.'],
    ['temperature=', 'It must be a number from 0.'],
    ['temperature=-1', 'It must be'],
    ['top_p=1.5', 'from 0 to 1'],
    ['max_output_tokens=0', 'from 1'],
    ['seed=1.5', 'a whole number'],
    ['effort=huge', 'one of none, minimal, low'],
    ['solver.=1', 'sets nothing'],
  ])('refuses %s', (text, said) => {
    expect(() => parseModelSettings([text])).toThrow(said);
  });

  it('refuses what is set twice, under any of its names', () => {
    expect(() => parseModelSettings(['effort=low', 'thinking_level=high'])).toThrow(
      'The effort is set twice',
    );
    expect(() => parseModelSettings(['a.seed=1', 'a.seed=1'])).toThrow(coded('named-twice'));
    expect(() => parseModelSettings(['seed=1', 'a.seed=1'])).not.toThrow();
  });
});
