/** Whether a program says anything new, asked early and late in a search: programs as long as those of contests. */
import { Novelty } from '../src/agents/search/novelty.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { mean } from '../src/core/statistics/bootstrap.ts';
import type { Row } from './measure.ts';

const length = 400;
const looks = 600;

/** By the time of the processor: others at work do not make it longer. */
export function noveltyRows(): readonly Row[] {
  const took = lookTimes();
  const between = (from: number, to: number) => mean(took.slice(from, to)) ?? 0;
  const [early, late] = [between(50, 150), between(500, looks)];
  return [
    {
      what: `a look whether a program of ${length} lines is new, 500 to ${looks} of ${looks}, CPU`,
      unit: 'ms',
      measured: late,
      floor: early,
      against: 'looks 50 to 150',
      ratio: late / early,
      aim: null,
    },
  ];
}

/** Most are of a few parents; one of ten is a rewrite. */
function lookTimes(): readonly number[] {
  const { next } = seededChance('novelty');
  const draw = (most: number) => Math.floor(next() * most);
  const line = () =>
    `  value${draw(length)} = start${draw(50)} * ${draw(100)} + other${draw(9)}[${draw(length)}] - f${draw(40)}(x);`;
  const programs = [Array.from({ length }, line)];
  const novelty = new Novelty('cpp');
  novelty.add({ id: 'p0', source: (programs[0] ?? []).join('\n'), parents: [] });
  return Array.from({ length: looks }, (_, at) => {
    const from = draw(10) < 6 ? draw(Math.min(programs.length, 4)) : draw(programs.length);
    const made = [...(programs[from] ?? [])];
    const changes = draw(10) === 0 ? length / 2 : 1 + draw(3);
    for (let change = 0; change < changes; change += 1) made[draw(length)] = line();
    programs.push(made);
    const work = { id: `p${at + 1}`, source: made.join('\n'), parents: [`p${from}`] };
    const begun = process.cpuUsage();
    novelty.nearest(work);
    novelty.add(work);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
}
