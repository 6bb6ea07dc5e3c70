/** `5 ft 6 in`, `3 hours and 20 minutes`: one quantity, told in two units of one dimension. */

import { newWork } from '../limits.ts';
import { exact, product, quotient, sum, type Tree } from '../tree.ts';
import { parse } from './parser.ts';
import { unitNamed } from './units.ts';

const pattern = /^(\d[\d.,]*)\s*([a-z]+\.?)[,\s]*(?:and\s+)?(\d[\d.,]*)\s*([a-z]+\.?)$/i;

export function unitsInSteps(flat: string): Tree | null {
  const [, large, largeName, small, smallName] = pattern.exec(flat) ?? [];
  const [unit, part] = [unitNamed(largeName ?? ''), unitNamed(smallName ?? '')];
  if (!unit || !part || unit.dimension !== part.dimension || unit.name === part.name) return null;
  const [whole, rest] = [large, small].map((text) =>
    parse(text ?? '', { isMath: true, comma: 'auto' }, newWork()),
  );
  if (whole?.kind !== 'number' || rest?.kind !== 'number') return null;
  const converted = product([rest, quotient(exact(part.factor), exact(unit.factor))]);
  return { kind: 'quantity', value: sum([whole, converted]), unit };
}
