/**
 * A problem for benches of the search itself, whose programs are never compiled: six constants, each with a best value
 * that the others move, and parts that help or hurt. And a script in the place of a model: it changes the program that it
 * is shown by chance, a constant or a part, and now and then breaks it. Seeded by the run and the place of the call.
 */
import type { Model, ModelRequest } from '../src/core/model.ts';
import type { Family, ProblemSpec } from '../src/core/problem.ts';
import type { CaseOutcome, ProgramTask } from '../src/core/program.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { scriptedModel } from '../src/models/scripted.ts';

const best = [3, 50, 0.2, 900, 12, 1.5];
const parts = 8;

export const toyProgram = [
  ...best.map((_, at) => `const double K${at} = ${at === 3 ? 100 : 5};`),
  'int main() {',
  '  read();',
  '  print();',
  '}',
  '',
].join('\n');

/** Without noise: 1,000 at the very best. */
export function worthOf(source: string): number {
  const values = best.map((_, at) => Number(new RegExp(`K${at} = (-?[\\d.e+-]+);`).exec(source)?.[1] ?? 1));
  const losses = best.map((target, at) => {
    const pull = 1 + 0.2 * Math.tanh(Math.log((values[(at + 1) % best.length] ?? 1) / 10));
    return Math.min(3, Math.abs(Math.log(Math.max(1e-9, values[at] ?? 1) / (target * pull)))) * 40;
  });
  const used = new Set([...source.matchAll(/part(\d+)\(\);/g)].map(([, part]) => Number(part)));
  const helped = [...used].reduce((sum, part) => sum + (part % 3 === 2 ? -30 : 25), 0);
  return 850 + helped - losses.reduce((sum, each) => sum + each, 0);
}

export type Machine = {
  /** Milliseconds of one case; 0: at once. */
  readonly caseMs: number;
  readonly cores: number;
};

/** What was run, and for how long all cores were at it. */
export type Account = { cases: number; allBusyMs: number };

export function toyFamily(account: Account, machine: Machine = { caseMs: 0, cores: 2 }): Family {
  const cores = coresOf(machine, account);
  const task: ProgramTask = {
    language: 'cpp',
    direction: 'maximise',
    scoring: 'absolute',
    template: toyProgram,
    cases: Array.from({ length: 30 }, (_, at) => `c${at}`),
    best: {},
    timeLimitMs: 2000,
    fresh: (first, count) => Array.from({ length: count }, (_, at) => `f${first + at}`),
    evaluate: async (source, names) => {
      const compiled = !source.includes('BROKEN');
      if (compiled) await cores(names.length);
      account.cases += compiled ? names.length : 0;
      const outcomes = compiled ? names.map((name) => outcomeOf(source, name)) : [];
      return { score: null, data: { compiled, message: '', cases: outcomes, backend: 'words' } };
    },
  };
  return { name: 'bench', load: async () => spec, open: () => ({ spec, program: task }) };
}

const spec: ProblemSpec = {
  family: 'bench',
  id: 'bench-1',
  title: 'Bench',
  reference: {},
  contentHash: 'bench',
  statement: [{ type: 'text', text: 'Print what is best.' }],
  brief: { task: 'do well', answerFormat: 'a program', criteria: 'more is better', environment: '' },
  stages: [],
  detail: {},
};

/** Cases as strong as the noise that tells two programs apart in a contest: a part of the differences worth having. */
function outcomeOf(source: string, name: string): CaseOutcome {
  const size = 10 + Math.floor(seededChance(name).next() * 90);
  const noise = (seededChance(`${name} ${source}`).next() - 0.5) * 120;
  const crashes = source.includes('CRASH') && seededChance(`crash ${name}`).next() < 0.3;
  const common = { name, cpuMs: 100, wallMs: 100, memoryBytes: 1, message: '', features: { N: size } };
  if (crashes) return { ...common, verdict: 'RE', score: null };
  return { ...common, verdict: 'AC', score: 10 * size + worthOf(source) + noise };
}

/** So many cases at once as there are cores, and the time in which none of them is idle. */
function coresOf({ caseMs, cores }: Machine, account: Account): (cases: number) => Promise<void> {
  const waiting: (() => void)[] = [];
  let busy = 0;
  let since = 0;
  const tell = (change: number) => {
    if (busy === cores) account.allBusyMs += performance.now() - since;
    busy += change;
    if (busy === cores) since = performance.now();
  };
  const one = async () => {
    if (busy === cores) await new Promise<void>((resolve) => waiting.push(resolve));
    tell(1);
    await new Promise((resolve) => setTimeout(resolve, caseMs));
    tell(-1);
    waiting.shift()?.();
  };
  return async (cases) => {
    if (caseMs > 0) await Promise.all(Array.from({ length: cases }, one));
  };
}

/** How long it takes, and how much it was sent and by whom. */
export function perturbing(
  seed: string,
  {
    delayMs = 0,
    onRequest = () => {},
  }: { delayMs?: number; onRequest?: (branch: string, characters: number) => void } = {},
): Model {
  return scriptedModel({
    id: 'bench',
    script: ({ branch, index, request }) => {
      onRequest(branch, JSON.stringify(request.messages).length);
      const { next } = seededChance(`${seed} ${branch} ${index}`);
      const program = perturbed(shownIn(request), next);
      return {
        text: `IDEA: by chance ${Math.floor(next() * 1e6)}\n\n\`\`\`cpp\n${program.trimEnd()}\n\`\`\``,
        delayMs,
      };
    },
  });
}

function shownIn({ messages }: ModelRequest): string {
  const text = messages.slice(2).map(({ content }) => (typeof content === 'string' ? content : ''));
  return /```cpp\n([\s\S]*?)```/.exec(text.join('\n'))?.[1] ?? toyProgram;
}

/** One step from a program; two of ten break it. */
export function perturbed(source: string, next: () => number): string {
  const kind = next();
  const repaired = source.replaceAll(/\n {2}(?:BROKEN|CRASH);/g, '');
  if (repaired !== source) return repaired;
  if (kind < 0.1) return source.replace('  print();', '  BROKEN;\n  print();');
  if (kind < 0.2) return source.replace('  print();', '  CRASH;\n  print();');
  if (kind < 0.5) return withPart(source, Math.floor(next() * parts));
  const at = Math.floor(next() * best.length);
  return source.replace(new RegExp(`(K${at} = )(-?[\\d.e+-]+);`), (_all, name: string, value: string) => {
    const factor = Math.exp((next() + next() + next() - 1.5) * 1.2);
    return `${name}${Number((Number(value) * factor).toPrecision(4))};`;
  });
}

function withPart(source: string, part: number): string {
  const line = `  part${part}();\n`;
  return source.includes(line) ? source.replace(line, '') : source.replace('  print();', `${line}  print();`);
}
