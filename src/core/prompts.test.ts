import { expect, test } from 'vitest';
import { fillTemplate } from './prompts.ts';

test('places are filled verbatim, and only the places of the prompt itself', () => {
  const filled = fillTemplate('{{a}} and {{b}}, {{a}}', { a: '{{b}} $& $1', b: 'B' });
  expect(filled).toBe('{{b}} $& $1 and B, {{b}} $& $1');
});

test.each(['missing', 'constructor', 'toString'])('a place that nothing fills is told: %s', (name) => {
  expect(() => fillTemplate(`x {{${name}}}`, {})).toThrow(`{{${name}}}`);
});
