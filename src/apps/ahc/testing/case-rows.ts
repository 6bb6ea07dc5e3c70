/** The table of an evaluation while it grows: a row a case, in the order of the cases, and a line on how far it is. Pure. */

import { memoryText, secondsText } from '../../../cli/exec/words.ts';
import type { TestedCase } from '../../../families/ahc/evaluation.ts';
import { clip, duration, oneLine } from '../../../text/format.ts';
import type { Paint } from '../../../text/paint.ts';
import { scoreText, shareText, verdictsText, verdictTone } from '../words.ts';

export type RowsSetting = {
  readonly names: readonly string[];
  readonly paint: Paint;
  /** Of the best known before this evaluation: `98.2 %`. Null where there is none yet. */
  pointsOf(done: TestedCase): number | null;
  /** Milliseconds since it began. */
  elapsedMs(): number;
};

const widths = { verdict: 9, score: 16, share: 11, cpu: 10, wall: 10, memory: 12 };

export class CaseRows {
  readonly #setting: RowsSetting;
  readonly #nameWidth: number;
  readonly #early = new Map<string, TestedCase>();
  readonly #verdicts: Partial<Record<string, number>> = {};
  #shown = 0;
  #ended = 0;
  #points = 0;
  #known = 0;

  constructor(setting: RowsSetting) {
    this.#setting = setting;
    this.#nameWidth = setting.names.reduce((most, name) => Math.max(most, [...name].length), 4);
  }

  get head(): string {
    const titles = ['case', 'verdict', 'score', 'of best', 'CPU', 'wall', 'memory'] as const;
    const [name, verdict, score, share, cpu, wall, memory] = titles;
    return this.#setting.paint('faint', this.#columns({ name, verdict, score, share, cpu, wall, memory }));
  }

  get status(): string {
    const { names, elapsedMs } = this.#setting;
    const left =
      this.#ended === 0
        ? ''
        : `; ${duration((elapsedMs() / this.#ended) * (names.length - this.#ended))} left`;
    const share = this.#known === 0 ? '' : `; ${shareText(this.#points / this.#known)} of the best known`;
    return `${this.#ended} of ${names.length}: ${verdictsText(this.#verdicts)}${share}${left}`;
  }

  /** The rows that can be shown now. */
  add(done: TestedCase): readonly string[] {
    this.#ended += 1;
    this.#verdicts[done.verdict] = (this.#verdicts[done.verdict] ?? 0) + 1;
    const points = this.#setting.pointsOf(done);
    if (points !== null) {
      this.#points += points;
      this.#known += 1;
    }
    this.#early.set(done.name, done);
    const rows: string[] = [];
    for (let next = this.#next(); next; next = this.#next()) {
      this.#early.delete(next.name);
      this.#shown += 1;
      rows.push(this.#row(next));
    }
    return rows;
  }

  /** What waited for a case that never ended, because the evaluation was broken off. */
  rest(): readonly string[] {
    const { names } = this.#setting;
    return names.flatMap((name) => {
      const done = this.#early.get(name);
      return done ? [this.#row(done)] : [];
    });
  }

  #next(): TestedCase | undefined {
    return this.#early.get(this.#setting.names[this.#shown] ?? '');
  }

  #row(done: TestedCase): string {
    const { paint, pointsOf } = this.#setting;
    const { name, verdict, score, cpuMs, wallMs, memoryBytes, message } = done;
    const line = this.#columns({
      name: oneLine(name),
      verdict,
      score: scoreText(score),
      share: score === null ? '–' : shareText(pointsOf(done)),
      cpu: secondsText(cpuMs),
      wall: secondsText(wallMs),
      memory: memoryText(memoryBytes),
    });
    const why = message === '' ? '' : `  ${clip(oneLine(message), 80)}`;
    return `${line.replace(verdict, () => paint(verdictTone(verdict), verdict))}${why}`;
  }

  #columns(cells: Readonly<Record<'name' | keyof typeof widths, string>>): string {
    const { score, share, cpu, wall, memory } = widths;
    return [
      cells.name.padEnd(this.#nameWidth),
      `  ${cells.verdict.padEnd(widths.verdict)}`,
      cells.score.padStart(score),
      cells.share.padStart(share),
      cells.cpu.padStart(cpu),
      cells.wall.padStart(wall),
      cells.memory.padStart(memory),
    ].join('');
  }
}
