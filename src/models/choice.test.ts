import { describe, expect, it } from 'vitest';
import { UserError } from '../core/errors.ts';
import { parseModelChoice } from './catalogue.ts';

describe('parseModelChoice', () => {
  it('tells roles from models that hold an = themselves', () => {
    const choice = parseModelChoice([
      'openai-compatible/a=b',
      'grader=scripted:x=y.yaml',
      'planner=openai-compatible/c',
    ]);
    expect(choice).toEqual({
      default: 'openai-compatible/a=b',
      byRole: { grader: 'scripted:x=y.yaml', planner: 'openai-compatible/c' },
    });
  });

  it('chooses nothing from nothing', () => {
    expect(parseModelChoice([])).toEqual({ default: null, byRole: {} });
  });

  it.each([
    [['a/b', 'c/d'], 'The default model is chosen twice: a/b and c/d.'],
    [['x=a/b', 'x=a/b'], 'The model of the role x is chosen twice'],
    [['x='], '"x=" names no model.'],
    [['  '], 'names no model.'],
  ])('refuses %j', (values, message) => {
    expect(() => parseModelChoice(values)).toThrow(UserError);
    expect(() => parseModelChoice(values)).toThrow(message);
  });
});
