/**
 * What the induction graph notes, kind by kind, what is told of a run from it (its hypotheses with their steps), and
 * each note in a line for people. Logs, pictures and reports are folds over these notes. Grids are noted as the task
 * has them, whatever view of it a hypothesis had.
 */
import { z } from 'zod';
import type { Run } from '../core/agent.ts';
import type { Event } from '../core/event.ts';
import type { Grid } from '../core/problem.ts';
import { count, oneLine } from '../text/format.ts';
import type { EventLine } from '../text/line.ts';

const whole = z.number().int().nonnegative();
/** Rows of digits with `/` between: a hundredth of what a journal would take for lists. Null: there is no output yet. */
const grids = z.array(z.string().nullable());

const status = z.enum(['running', 'completed', 'failed', 'failed_max_steps']);
const pairs = z.array(z.object({ isRight: z.boolean(), score: z.number() }));

const inductionNoteShapes = {
  /** A line of its own begins, in its branch. `view`: how it sees the task. */
  hypothesis: z.object({
    number: whole,
    form: z.enum(['steps', 'program']),
    view: z.object({ symmetry: z.string(), colours: z.array(whole) }),
  }),
  /** Steps are counted from 1. `revises`: the number of the instruction whose place it takes. */
  instruction: z.object({
    step: whole,
    text: z.string(),
    rationale: z.string(),
    confidence: z.enum(['low', 'medium', 'high']),
    revises: whole.nullable(),
    done: z.boolean(),
  }),
  /** All outputs after the step, those that stayed as they were included. */
  generator: z.object({ step: whole, status: z.string(), train: grids, test: grids }),
  program: z.object({ step: whole, source: z.string(), rationale: z.string() }),
  /** `errors`: one or none for each train and then each test input. */
  execution: z.object({ step: whole, train: grids, test: grids, errors: z.array(z.string().nullable()) }),
  verifier: z.object({ step: whole, passed: z.boolean(), score: z.number(), pairs, status }),
  /** A reply that could not be used, and why. */
  unreadable: z.object({ role: z.string(), problem: z.string() }),
  /** Outputs of samples that do not exist; they were left out. */
  'extra-outputs': z.object({ count: whole }),
  hint: z.object({ hint: z.string() }),
  'hypothesis-end': z.object({ status, detail: z.string(), steps: whole }),
  vote: z.object({
    hypotheses: z.array(z.object({ name: z.string(), status, steps: whole })),
    /** How many that reproduce the train pairs agree on every test output. */
    agreement: whole,
    /** For each test input its candidates, the best first, at most five. */
    queries: z.array(
      z.array(z.object({ passing: whole, votes: whole, score: z.number(), from: z.string() })),
    ),
  }),
} as const;

export type InductionNoteKind = keyof typeof inductionNoteShapes;
export type InductionNote<Kind extends InductionNoteKind> = z.infer<(typeof inductionNoteShapes)[Kind]>;

export type InductionStep = {
  readonly number: number;
  readonly instruction: Omit<InductionNote<'instruction'>, 'step'> | null;
  readonly program: { readonly source: string; readonly rationale: string } | null;
  /** What the generator said. */
  readonly status: string | null;
  readonly train: readonly (Grid | null)[];
  readonly test: readonly (Grid | null)[];
  /** Of a program: why there is no grid, for each train and then each test input. */
  readonly errors: readonly (string | null)[];
  /** Null where the step was broken off before it. */
  readonly verification: Pick<InductionNote<'verifier'>, 'passed' | 'score' | 'pairs'> | null;
};

export type InductionLine = {
  /** The branch: `steps-1`, `program-2`. */
  readonly name: string;
  readonly form: 'steps' | 'program';
  readonly view: InductionNote<'hypothesis'>['view'];
  readonly steps: readonly InductionStep[];
  /** `running` where it was broken off. */
  readonly status: z.infer<typeof status>;
  readonly detail: string;
  readonly unreadable: readonly InductionNote<'unreadable'>[];
};

export type InductionView = {
  readonly lines: readonly InductionLine[];
  readonly vote: InductionNote<'vote'> | null;
};

/** Null where the event is no such note. */
function inductionNoteOf<Kind extends InductionNoteKind>(
  event: Event,
  kind: Kind,
): InductionNote<Kind> | null {
  if (event.kind !== 'note' || event.body.kind !== kind) return null;
  const parsed = inductionNoteShapes[kind].safeParse(event.body.data);
  return parsed.success ? (parsed.data as InductionNote<Kind>) : null;
}

export function foldInduction(events: readonly Event[]): InductionView {
  const lines = new Map<string, InductionLine>();
  let vote: InductionView['vote'] = null;
  for (const event of events) {
    if (event.kind !== 'note') continue;
    vote = inductionNoteOf(event, 'vote') ?? vote;
    const begun = inductionNoteOf(event, 'hypothesis');
    const line = begun ? emptyLine(event.branch, begun) : lines.get(event.branch);
    if (line) lines.set(event.branch, applyNote(line, event));
  }
  return { lines: [...lines.values()], vote };
}

export function note<Kind extends InductionNoteKind>(run: Run, kind: Kind, data: InductionNote<Kind>): void {
  run.note(kind, data);
}

export function gridText(grid: Grid | null): string | null {
  return grid === null ? null : grid.map((row) => row.join('')).join('/');
}

export function gridOf(text: string | null): Grid | null {
  return text === null ? null : text.split('/').map((row) => [...row].map(Number));
}

function emptyLine(name: string, { form, view }: InductionNote<'hypothesis'>): InductionLine {
  return { name, form, view, steps: [], status: 'running', detail: '', unreadable: [] };
}

function applyNote(line: InductionLine, event: Event): InductionLine {
  const unreadable = inductionNoteOf(event, 'unreadable');
  if (unreadable) return { ...line, unreadable: [...line.unreadable, unreadable] };
  const end = inductionNoteOf(event, 'hypothesis-end');
  if (end) return { ...line, status: end.status, detail: end.detail };
  const change = stepChange(event);
  if (!change) return line;
  const at = line.steps.findIndex(({ number }) => number === change.number);
  const before = line.steps[at] ?? { ...emptyStep, number: change.number };
  const after = { ...before, ...change };
  return { ...line, steps: at < 0 ? [...line.steps, after] : line.steps.with(at, after) };
}

const emptyStep: Omit<InductionStep, 'number'> = {
  instruction: null,
  program: null,
  status: null,
  train: [],
  test: [],
  errors: [],
  verification: null,
};

/** What a note says of its step. */
function stepChange(event: Event): (Partial<InductionStep> & { readonly number: number }) | null {
  const instruction = inductionNoteOf(event, 'instruction');
  if (instruction) {
    const { step: number, ...rest } = instruction;
    return { number, instruction: rest };
  }
  const program = inductionNoteOf(event, 'program');
  if (program) {
    const { step: number, ...rest } = program;
    return { number, program: rest };
  }
  const verifier = inductionNoteOf(event, 'verifier');
  if (verifier) {
    const { step: number, passed, score, pairs: verdicts } = verifier;
    return { number, verification: { passed, score, pairs: verdicts } };
  }
  return outputsChange(event);
}

function outputsChange(event: Event): (Partial<InductionStep> & { readonly number: number }) | null {
  const generator = inductionNoteOf(event, 'generator');
  const execution = inductionNoteOf(event, 'execution');
  const made = generator ?? execution;
  if (!made) return null;
  return {
    number: made.step,
    train: made.train.map(gridOf),
    test: made.test.map(gridOf),
    ...(generator ? { status: generator.status } : {}),
    ...(execution ? { errors: execution.errors } : {}),
  };
}

/** Null where it is no such note. */
export function describeInductionNote(event: Event): EventLine | null {
  if (event.kind !== 'note') return null;
  return lineOfStep(event) ?? lineOfWhole(event);
}

function lineOfStep(event: Event): EventLine | null {
  const instruction = inductionNoteOf(event, 'instruction');
  if (instruction) return loud(`step ${instruction.step}: ${instructionText(instruction)}`, 'accent');
  const generator = inductionNoteOf(event, 'generator');
  if (generator) return loud(`generator: ${oneLine(generator.status) || '(it said nothing)'}`);
  const program = inductionNoteOf(event, 'program');
  if (program) return loud(`version ${program.step}: ${oneLine(program.rationale) || 'a program'}`, 'accent');
  const execution = inductionNoteOf(event, 'execution');
  if (execution) {
    const failed = execution.errors.filter((error) => error !== null).length;
    return loud(
      `execution: ${failed === 0 ? 'a grid for every input' : `no grid for ${count(failed, 'input')}`}`,
    );
  }
  const verifier = inductionNoteOf(event, 'verifier');
  return verifier && loud(`verifier: ${verificationText(verifier)}`, verifier.passed ? 'good' : 'warn');
}

function lineOfWhole(event: Event): EventLine | null {
  const hypothesis = inductionNoteOf(event, 'hypothesis');
  if (hypothesis) return quiet(`hypothesis ${hypothesis.number} begins`);
  const end = inductionNoteOf(event, 'hypothesis-end');
  if (end)
    return loud(`the hypothesis has ended: ${end.status}${end.detail ? ` (${oneLine(end.detail)})` : ''}`);
  const vote = inductionNoteOf(event, 'vote');
  if (vote) return loud(`vote of ${vote.hypotheses.length}: ${vote.agreement} agree with right train pairs`);
  const unreadable = inductionNoteOf(event, 'unreadable');
  return (
    unreadable &&
    loud(`asked again, the ${unreadable.role}'s reply cannot be used: ${oneLine(unreadable.problem)}`, 'warn')
  );
}

function loud(text: string, tone: EventLine['tone'] = 'plain'): EventLine {
  return { text, tone, isQuiet: false };
}

function quiet(text: string): EventLine {
  return { text, tone: 'faint', isQuiet: true };
}

export function instructionText({
  text,
  revises,
  done,
  confidence,
}: Pick<NonNullable<InductionStep['instruction']>, 'text' | 'revises' | 'done' | 'confidence'>): string {
  const marks = [
    revises === null ? '' : `in the place of ${revises}`,
    `confidence ${confidence}`,
    done ? 'done' : '',
  ];
  return `${oneLine(text) || '(none)'} [${marks.filter(Boolean).join(', ')}]`;
}

export function verificationText({
  passed,
  score,
  pairs,
}: NonNullable<InductionStep['verification']>): string {
  const right = pairs.filter(({ isRight }) => isRight).length;
  return `${passed ? 'passed' : 'not passed'}, ${right} of ${pairs.length} train pairs right, ${(score * 100).toFixed(1)}% of their cells`;
}
