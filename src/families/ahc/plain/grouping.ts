/**
 * Lines `c_k s_{k,1} … s_{k,c_k}`: things that are shared out among groups, each thing once. What the things are, the
 * statement's bounds say, or else a number of the input; what weighs them, a list of the input of their length. Pure.
 */
import { type Amount, type Groups, ofName, type Way } from './answer.ts';
import type { OutStep } from './output-shape.ts';
import type { Ground } from './styles.ts';

/** Empty where the lines are not of this form. */
export function groupsOf({ rows, fields }: OutStep, ground: Ground): readonly Groups[] {
  const [count, members] = fields;
  if (!rows || fields.length !== 2 || !count || count.list !== null) return [];
  if (!members?.list || !('own' in members.list) || members.list.own !== count.name) return [];
  if (!rows.names.every((name) => ground.scalars.includes(name))) return [];
  return thingsOf(members.name, rows, ground).flatMap(({ things, base }) =>
    waysOf(things, ground).map((way) => ({ type: 'groups', things, groups: rows, base, way })),
  );
}

function thingsOf(
  name: string,
  rows: Amount,
  { hints, scalars }: Ground,
): readonly { readonly things: Amount; readonly base: number }[] {
  const { low = null, high = null } = hints.bounds.get(name) ?? {};
  const isPlain = low?.names.length === 0 && high?.names.every((each) => scalars.includes(each));
  if (low && high && isPlain && high.names.length > 0) {
    return [{ things: { ...high, plus: high.plus - low.plus + 1 }, base: low.plus }];
  }
  const others = scalars.filter((scalar) => !rows.names.includes(scalar)).slice(0, 5);
  return others.flatMap((scalar) => [1, 0].map((base) => ({ things: ofName(scalar), base })));
}

function waysOf({ names, plus }: Amount, { steps }: Ground): readonly Way[] {
  const [length] = names;
  const lists = steps.flatMap((step) =>
    step.fields.flatMap(({ name, count }) => {
      const extent = step.type === 'rows' ? (count === null ? step.count : null) : count;
      return extent && extent.name === length && extent.plus === plus && !extent.ofRow ? [name] : [];
    }),
  );
  // What is measured stands behind where it is; and who is called w is a weight.
  const weights = lists.toReversed().toSorted((a, b) => Number(/^w/i.test(b)) - Number(/^w/i.test(a)));
  return [...weights.map((least) => ({ least })), 'turn', 'blocks', 'first'];
}
