/**
 * A problem whose programs are never compiled, for the search itself: what a program is worth is a pure function of its
 * text. `const double A = …` is best at 40, each `improve(k);` with another k adds something, `BROKEN` does not compile,
 * `CRASH` fails on every fifth case, `SLOW` comes too near the time limit. And a model, written ahead, that proposes good,
 * bad, broken and non-matching changes, by what it is asked and where.
 */
import { evolution } from '../../src/agents/search/evolution.ts';
import type { Event } from '../../src/core/event.ts';
import type { Model, ModelCall, ModelReply, ModelRequest } from '../../src/core/model.ts';
import type { Family } from '../../src/core/problem.ts';
import type { CaseOutcome, ProgramTask } from '../../src/core/program.ts';
import { type EvolutionNoteKind, type EvolutionNotes, evolutionNoteOf } from '../../src/notes/evolution.ts';
import { randomFromKey } from '../../src/run/hash.ts';
import { replayRun } from '../../src/run/replay.ts';
import { type RunSpec, startRun } from '../../src/run/start.ts';
import type { Runtime } from '../../src/run/world.ts';
import { familyOf, modelOf, oddRun } from './odd.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { eventsOf, type ToyWorldOptions, toyWorld } from './world.ts';

export const evolvingTemplate = 'const double A = 10;\nint main() {\n  read();\n  print();\n}\n';

const cases = Array.from({ length: 30 }, (_, at) => `c${String(at).padStart(3, '0')}`);

export function evolvingTask(changes: Partial<ProgramTask> = {}): ProgramTask {
  return {
    language: 'cpp',
    direction: 'maximise',
    scoring: 'absolute',
    template: evolvingTemplate,
    cases,
    best: {},
    timeLimitMs: 2000,
    fresh: (first, count) => Array.from({ length: count }, (_, at) => `f${first + at}`),
    evaluate: async (source, names) => {
      const compiled = !source.includes('BROKEN');
      const outcomes = compiled ? names.map((name) => outcomeOf(source, name)) : [];
      const message = compiled ? '' : "main.cpp:3:1: error: 'BROKEN' does not name a type";
      return { score: null, data: { compiled, message, cases: outcomes, backend: 'words' } };
    },
    ...changes,
  };
}

/** What a program is worth on a case, without what the case itself makes of it. */
export function worthOf(source: string): number {
  const a = Number(/const double A = (-?[\d.]+);/.exec(source)?.[1] ?? 0);
  const improvements = new Set([...source.matchAll(/improve\((\d+)\);/g)].map(([, k]) => k)).size;
  const harm = new Set([...source.matchAll(/worsen\((\d+)\);/g)].map(([, k]) => k)).size;
  return 1000 - Math.abs(a - 40) * 5 + improvements * 60 - harm * 80;
}

function outcomeOf(source: string, name: string): CaseOutcome {
  const size = 10 + Math.floor(randomFromKey(`size ${name}`) * 90);
  const crashes = source.includes('CRASH') && randomFromKey(`crash ${name}`) < 0.2;
  const noise = (randomFromKey(`${source} ${name}`) - 0.5) * 40;
  const score = Math.round(size * 100 + worthOf(source) + noise);
  const cpuMs = source.includes('SLOW') ? 1950 : 100 + size;
  const common = { name, cpuMs, wallMs: cpuMs, memoryBytes: 1_000_000, features: { N: size } };
  return crashes
    ? { ...common, verdict: 'RE', score: null, message: 'Segmentation fault', input: `${size}\n1 2 3\n` }
    : { ...common, verdict: 'AC', score, message: '' };
}

/** `hasFresh`: whether it makes new cases. */
export function evolvingFamily(changes: Partial<ProgramTask> = {}, hasFresh = true): Family {
  const { fresh, ...rest } = evolvingTask(changes);
  return familyOf({
    spec: {
      statement: [{ type: 'text', text: 'Print what is best.' }],
      brief: {
        task: 'Do well.',
        answerFormat: 'A program.',
        criteria: 'More is better.',
        environment: 'Words.',
      },
    },
    program: { ...rest, ...(fresh && hasFresh ? { fresh } : {}) },
    async grade({ answer }) {
      const source = answer?.type === 'source' ? answer.source : '';
      return { score: worthOf(source), explanation: 'looked at' };
    },
  });
}

export const fence = (source: string): string => `\`\`\`cpp\n${source.trimEnd()}\n\`\`\``;

export function changeTo(search: string, replace: string, idea: string): string {
  return `IDEA: ${idea}\n\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
}

export const evolvingAnalysis = {
  title: 'Odd',
  time_limit_ms: 2000,
  memory_limit_mb: 1024,
  problem_statement_summary: 'Print what is best.',
  constraints: { N: { min: 10, max: 'M', type: 'integer', description: 'the size' } },
  input_format_description: 'N',
  input_variables: [{ name: 'N', type: 'int' }],
  output_format_description: 'words',
  output_variables: [],
  scoring_rules: { description: 'More is better.', formula_example: '' },
  problem_type_tags: [],
  extracted_keywords: [],
};

const evolvingStrategies = [
  'Simulated annealing',
  'Beam search',
  'Greedy construction',
  'Genetic algorithm',
].map((name) => ({ name, family: name, idea: `${name}, done well.`, reasons: 'It suits.' }));

/** The program that a request is about: the first block of code behind the opening. */
export function programIn({ messages }: ModelRequest): string {
  const text = messages
    .slice(2)
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n');
  return /```cpp\n([\s\S]*?)\n```/.exec(text)?.[1] ?? evolvingTemplate;
}

/** Told by the place in the run and by what is asked: the same in every life. */
export function evolvingReply(
  request: ModelRequest,
  { role, branch, index }: Pick<ModelCall, 'role' | 'branch' | 'index'>,
): string | null {
  if (role === 'analyst') return JSON.stringify(evolvingAnalysis);
  if (role === 'strategist') return JSON.stringify({ strategies: evolvingStrategies });
  if (role === 'adviser' && JSON.stringify(request.messages.at(-1)).includes('What was tried of late')) {
    return JSON.stringify({ summary: 'Improvements help.', recommendations: ['Add improve(77);'] });
  }
  if (role === 'adviser') return 'Its constant A is far from where it should be.';
  if (!role.startsWith('solver')) return null;
  const program = programIn(request);
  const asked = JSON.stringify(request.messages.at(-1)?.content ?? '');
  const chance = randomFromKey(`${branch} ${index}`);
  const k = Math.floor(randomFromKey(`${branch} ${index} k`) * 12);
  if (/Write the first program/.test(asked)) {
    const first = evolvingTemplate
      .replace('10', String(5 + k))
      .replace('  print', `  improve(${100 + k});\n  print`);
    return `A first program.\n\n${fence(first)}`;
  }
  if (asked.includes('could not be applied'))
    return changeTo('  print();', `  improve(${k});\n  print();`, 'again');
  if (/does not compile|compiles, and fails/.test(asked)) {
    return `IDEA: taken out\n\n${fence(program.replaceAll(/\n.*(?:BROKEN|CRASH|SLOW).*/g, ''))}`;
  }
  if (/whole program in one fenced block/.test(asked) && !asked.includes('SEARCH')) {
    return `IDEA: anew\n\n${fence(program.replace(/A = -?[\d.]+/, `A = ${Math.floor(chance * 80)}`))}`;
  }
  if (chance < 0.1) return changeTo('  print();', '  BROKEN\n  print();', 'a faster print');
  if (chance < 0.2) return changeTo('  print();', '  CRASH\n  print();', 'fewer checks');
  if (chance < 0.25) return changeTo('  print();', '  SLOW\n  print();', 'more rounds');
  if (chance < 0.35) return changeTo('  prinft();', '  print();', 'something that is not there');
  if (chance < 0.5) return changeTo('  print();', `  worsen(${k});\n  print();`, 'a bad idea');
  return changeTo('  print();', `  improve(${k});\n  print();`, `improvement ${k}`);
}

export function evolvingRun(settings: RunSpec['settings'] = {}, more: Partial<RunSpec> = {}): RunSpec {
  const small = {
    maxGenerations: 4,
    populationSize: 6,
    plateauGenerations: 0,
    heldOutCases: 20,
    islands: 3,
    linesPerIsland: 2,
    ...settings,
  };
  return oddRun({ agent: 'evolution', settings: small, ...more });
}

export const evolvingAgent = evolution;

export function notesOf<K extends EvolutionNoteKind>(events: readonly Event[], kind: K): EvolutionNotes[K][] {
  return events.flatMap((event) => {
    const note = evolutionNoteOf(event);
    return note?.kind === kind ? [note.data as EvolutionNotes[K]] : [];
  });
}

export type Scene = {
  readonly settings?: RunSpec['settings'];
  readonly run?: Partial<RunSpec>;
  readonly task?: Partial<ProgramTask>;
  readonly hasFresh?: boolean;
  readonly kind?: Model['kind'];
  /** Null: what the script says. */
  readonly reply?: (
    request: ModelRequest,
    call: ModelCall,
    world: Runtime,
  ) => string | ModelReply | Promise<ModelReply> | null;
  readonly world?: Partial<ToyWorldOptions>;
};

export function sceneWorld(scene: Scene): Runtime {
  const { task = {}, hasFresh, kind = 'script', reply = () => null, world: more = {} } = scene;
  const world: Runtime = toyWorld({
    folder: temporaryFolder(),
    model: modelOf((request, call) => reply(request, call, world) ?? evolvingReply(request, call) ?? '', {
      kind,
    }),
    agents: [evolvingAgent],
    families: [evolvingFamily(task, hasFresh)],
    ...more,
  });
  return world;
}

/** A whole run, replayed. */
export async function evolved(scene: Scene = {}) {
  const world = sceneWorld(scene);
  const end = await (await startRun(world, evolvingRun(scene.settings, scene.run))).done;
  const events = await eventsOf(world, 'run');
  const replay = await replayRun(world, 'run');
  await world.store.close();
  return { end, events, replay };
}
