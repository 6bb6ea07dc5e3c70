/**
 * The notes of the induction graph, the hypotheses with their steps that they tell of, and each note in a line for
 * people. Grids are noted as the task has them, whatever view of it a hypothesis had.
 */
import { z } from 'zod';
import type { Run } from '../core/agent.ts';
import type { Event } from '../core/event.ts';
import type { Grid } from '../core/problem.ts';
import { oneLine } from '../text/format.ts';
import type { EventLine } from '../text/line.ts';
import { createDescriber, majorLine, minorLine, type NoteOf, noteIn } from './note.ts';

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
    /** No new one: those that there are, carried out once more, minding this. */
    mind: z.string().optional(),
    done: z.boolean(),
  }),
  /** All outputs after the step, those that stayed as they were included. */
  generator: z.object({ step: whole, status: z.string(), train: grids, test: grids }),
  program: z.object({ step: whole, source: z.string(), rationale: z.string() }),
  /** `errors`: one or none for each train and then each test input. */
  execution: z.object({ step: whole, train: grids, test: grids, errors: z.array(z.string().nullable()) }),
  verifier: z.object({ step: whole, passed: z.boolean(), score: z.number(), pairs, status }),
  /** A reply that could not be used and was asked for again, and why. Of the last one `hypothesis-end` says why. */
  unreadable: z.object({ role: z.string(), problem: z.string() }),
  /** Outputs of samples that do not exist; they were left out. */
  'extra-outputs': z.object({ count: whole }),
  hint: z.object({ hint: z.string() }),
  'hypothesis-end': z.object({ status, detail: z.string(), steps: whole }),
  /** What the last look at the test outputs said, and another rule, with what it makes of the test inputs. */
  another: z.object({
    follows: z.boolean(),
    rule: z.string(),
    rationale: z.string(),
    score: z.number(),
    test: grids,
  }),
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

type InductionNoteKind = keyof typeof inductionNoteShapes;
type InductionNote<Kind extends InductionNoteKind> = z.infer<(typeof inductionNoteShapes)[Kind]>;

export type InductionStep = {
  readonly number: number;
  readonly instruction: Omit<InductionNote<'instruction'>, 'step'> | null;
  readonly program: { readonly source: string; readonly rationale: string } | null;
  /** What the generator said. */
  readonly status: string | null;
  readonly train: readonly (Grid | null)[];
  readonly test: readonly (Grid | null)[];
  /** Why the program made no grid, for each train and then each test input. */
  readonly errors: readonly (string | null)[];
  /** Null if the step was cancelled before it. */
  readonly verification: Omit<InductionNote<'verifier'>, 'step' | 'status'> | null;
};

export type InductionLine = {
  /** The branch: `steps-1`, `program-2`. */
  readonly name: string;
  readonly form: 'steps' | 'program';
  readonly view: InductionNote<'hypothesis'>['view'];
  readonly steps: readonly InductionStep[];
  /** `running` if it was cancelled. */
  readonly status: z.infer<typeof status>;
  readonly detail: string;
  readonly unreadable: readonly InductionNote<'unreadable'>[];
};

export type InductionView = {
  readonly lines: readonly InductionLine[];
  readonly another: InductionNote<'another'> | null;
  readonly vote: InductionNote<'vote'> | null;
};

export function foldInduction(events: readonly Event[]): InductionView {
  const lines = new Map<string, InductionLine>();
  let [alternative, vote]: [InductionView['another'], InductionView['vote']] = [null, null];
  for (const event of events) {
    const found = noteIn(inductionNoteShapes, event);
    if (found?.kind === 'another') alternative = found.data;
    if (found?.kind === 'vote') vote = found.data;
    const line = found?.kind === 'hypothesis' ? emptyLine(event.branch, found.data) : lines.get(event.branch);
    if (found && line) lines.set(event.branch, applyNote(line, found));
  }
  return { lines: [...lines.values()], another: alternative, vote };
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

type Note = NoteOf<typeof inductionNoteShapes>;

function applyNote(line: InductionLine, found: Note): InductionLine {
  if (found.kind === 'unreadable') return { ...line, unreadable: [...line.unreadable, found.data] };
  if (found.kind === 'hypothesis-end')
    return { ...line, status: found.data.status, detail: found.data.detail };
  const change = stepChange(found);
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
function stepChange({ kind, data }: Note): (Partial<InductionStep> & { readonly number: number }) | null {
  switch (kind) {
    case 'instruction': {
      const { step: number, ...instruction } = data;
      return { number, instruction };
    }
    case 'program': {
      const { step: number, ...program } = data;
      return { number, program };
    }
    case 'verifier': {
      const { step: number, status: _, ...verification } = data;
      return { number, verification };
    }
    case 'generator':
    case 'execution': {
      const { step: number, train, test, ...told } = data;
      return { number, ...told, train: train.map(gridOf), test: test.map(gridOf) };
    }
    default:
      return null;
  }
}

export const describeInductionNote = createDescriber(inductionNoteShapes, lineOf);

function lineOf({ kind, data }: Note): EventLine | null {
  switch (kind) {
    case 'instruction':
      return majorLine(`step ${data.step}: ${instructionText(data)}`, 'accent');
    case 'generator':
      return majorLine(`generator: ${oneLine(data.status) || '(it said nothing)'}`);
    case 'program':
      return majorLine(`version ${data.step}: ${oneLine(data.rationale) || 'a program'}`, 'accent');
    case 'execution': {
      const failed = failuresOf(data.errors, data.train.length);
      return majorLine(`execution: ${failed.length === 0 ? 'a grid for every input' : failed.join('; ')}`);
    }
    case 'verifier':
      return majorLine(`verifier: ${formatVerification(data)}`, data.passed ? 'good' : 'warn');
    case 'hypothesis':
      return minorLine(`hypothesis ${data.number} begins`);
    case 'hypothesis-end':
      return majorLine(
        `the hypothesis has ended: ${data.status}${data.detail ? ` (${oneLine(data.detail)})` : ''}`,
      );
    case 'another':
      return majorLine(formatAlternative(data));
    case 'vote':
      return majorLine(`vote of ${data.hypotheses.length}: ${data.agreement} agree with right train pairs`);
    case 'unreadable':
      return majorLine(`the ${data.role}'s reply is asked for again: ${oneLine(data.problem)}`, 'warn');
    default:
      return null;
  }
}

export function formatAlternative({ follows, rule, test }: InductionNote<'another'>): string {
  const poll = follows ? 'the test outputs follow' : 'the test outputs do not follow';
  const exists = rule !== '' || test.some((grid) => grid !== null);
  return `${poll}; ${exists ? `another rule: ${oneLine(rule) || '(outputs alone)'}` : 'no other rule'}`;
}

export function instructionText(
  instruction: Pick<InductionNote<'instruction'>, 'text' | 'revises' | 'mind' | 'done' | 'confidence'>,
): string {
  const { text, revises, mind, done, confidence } = instruction;
  const marks = [
    revises === null ? '' : `in the place of ${revises}`,
    `confidence ${confidence}`,
    done ? 'done' : '',
  ];
  const words = mind ? `the same again, minding: ${mind}` : text;
  return `${oneLine(words) || '(none)'} [${marks.filter(Boolean).join(', ')}]`;
}

/** `no grid for test 1, test 2 (IndexError: list index out of range)`: what a program made no grid of, by error. */
export function failuresOf(errors: readonly (string | null)[], trainPairs: number): readonly string[] {
  const byError = new Map<string, string[]>();
  for (const [at, error] of errors.entries()) {
    if (error === null) continue;
    // Python says what matters last.
    const last = oneLine(error.trim().split('\n').at(-1) ?? '');
    const name = at < trainPairs ? `train ${at + 1}` : `test ${at - trainPairs + 1}`;
    byError.set(last, [...(byError.get(last) ?? []), name]);
  }
  return [...byError].map(([error, names]) => `no grid for ${names.join(', ')} (${error})`);
}

export function formatVerification(verification: NonNullable<InductionStep['verification']>): string {
  const { passed, score, pairs } = verification;
  const right = pairs.filter(({ isRight }) => isRight).length;
  return `${passed ? 'passed' : 'not passed'}, ${right} of ${pairs.length} train pairs right, ${(score * 100).toFixed(1)}% of their cells`;
}
