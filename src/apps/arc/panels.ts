/**
 * An ARC task on the page: each hypothesis step by step with what it made of every input and where that differs, the vote,
 * and what was handed in. Outputs of tests are those of the user's solutions, or of an attempt that was graded right; no model
 * was shown them, and what they say of an output is folded with them. Pure.
 */
import type { Event } from '../../core/event.ts';
import type { Grid } from '../../core/problem.ts';
import { taskIn } from '../../families/arc/family.ts';
import type { ArcTask } from '../../families/arc/task.ts';
import { differingCells } from '../../grids/diff.ts';
import { sizeText, widthOf } from '../../grids/grid.ts';
import {
  failuresOf,
  formatAlternative,
  formatVerification,
  type InductionLine,
  type InductionStep,
  instructionText,
} from '../../notes/induction.ts';
import type { Block, Grids, Panel } from '../../notes/panel.ts';
import { oneLine } from '../../text/format.ts';
import { isObject } from '../../text/json.ts';
import { outcomeOf } from './outcomes.ts';
import { lineText, resultText } from './report.ts';

type TaskPanelData = {
  /** Null where the journal holds it no more: a copy without the puzzle. */
  readonly task: ArcTask | null;
  /** The expected outputs of the tests; null where unknown. */
  readonly expected: readonly (Grid | null)[];
  readonly outcome: Outcome;
  seqOf(kind: string, branch: string, step: number): number | undefined;
};

type Outcome = ReturnType<typeof outcomeOf>;

/** `gold`: the solutions; null where they are not there. */
export function panels(events: readonly Event[], gold: readonly Grid[] | null = null): readonly Panel[] {
  const taskPanelData = readPanelData(events, gold);
  const { task, outcome } = taskPanelData;
  const { lines, another } = outcome.induction;
  const last: readonly Block[] = another
    ? [{ kind: 'text', text: `Last look: ${formatAlternative(another)}` }]
    : [];
  return [
    {
      title: 'Task and hypotheses',
      sentence: sentenceOf(outcome),
      aside: [...(task ? taskBlocks(task) : []), ...voteBlocks(outcome), ...answerBlocks(taskPanelData)],
      blocks: [...lines.map((line) => lineBlock(line, taskPanelData)), ...last],
    },
  ];
}

function readPanelData(events: readonly Event[], gold: readonly Grid[] | null): TaskPanelData {
  const outcome = outcomeOf(events);
  const { attempts, right, view } = outcome;
  const { problem } = view?.header ?? {};
  const lines = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'note' || !isObject(event.body.data)) continue;
    lines.set(`${event.body.kind} ${event.branch} ${event.body.data.step}`, event.seq);
  }
  return {
    task: typeof problem?.detail.task === 'string' ? taskIn(problem) : null,
    expected: gold ?? attempts.map((created, at) => created[(right?.[at] ?? 0) - 1] ?? null),
    outcome,
    seqOf: (kind, branch, step) => lines.get(`${kind} ${branch} ${step}`),
  };
}

function sentenceOf({ induction: { lines, vote }, right, view }: Outcome): string {
  const steps = Math.max(0, ...lines.map((line) => line.steps.length));
  const by = lines.find(({ name }) => name === vote?.queries[0]?.[0]?.from);
  const first = !view?.end
    ? `At work, at step ${steps}.`
    : view.end.grade?.correct
      ? `Solved${by ? ` by ${by.name} at its step ${by.steps.length}` : ''}.`
      : `Not solved: ${resultText({ view, right })}.`;
  if (lines.length === 0) return first;
  const done = lines.filter(({ status }) => status === 'completed').length;
  const agree = vote && vote.agreement > 1 ? `, and ${vote.agreement} of them agree on the tests` : '';
  const noun = lines.length === 1 ? 'hypothesis reproduces' : 'hypotheses reproduce';
  return `${first} ${done} of ${lines.length} ${noun} all train pairs${agree}.`;
}

function taskBlocks({ train, test }: ArcTask): readonly Block[] {
  const pairs = train.map(({ input, output }, at) =>
    gridsBlock(`train ${at + 1}`, { input, expected: output }),
  );
  const tests = test.map((input, at) => gridsBlock(`test ${at + 1}`, { input }));
  return [...pairs, ...tests];
}

function lineBlock(line: InductionLine, taskPanelData: TaskPanelData): Block {
  const { name, steps, status, detail, unreadable } = line;
  const { induction } = taskPanelData.outcome;
  const isFirst = induction.vote?.queries[0]?.[0]?.from === name;
  const retried = unreadable.map(({ role, problem }): Block => {
    return {
      kind: 'text',
      tone: 'bad',
      text: `The ${role}'s reply was asked for again: ${oneLine(problem)}`,
    };
  });
  const [method = ''] = lineText({ ...line, steps: [], unreadable: [] });
  return {
    kind: 'part',
    title: isFirst ? `${name}, the first attempt comes from it` : name,
    about: method.slice(name.length + 2),
    tone: status === 'completed' ? 'good' : status === 'running' ? 'soft' : 'bad',
    isFolded: induction.lines.length > 1 && !isFirst && (induction.vote !== null || detail !== ''),
    blocks: [
      ...steps.map((step, at) => stepBlock(step, { line, before: steps[at - 1], shown: taskPanelData })),
      ...retried,
    ],
  };
}

type StepPlace = {
  readonly line: InductionLine;
  readonly before: InductionStep | undefined;
  readonly shown: TaskPanelData;
};

function stepBlock(step: InductionStep, { line: { name, steps }, before, shown }: StepPlace): Block {
  const { number, instruction, program, status, verification, errors, train } = step;
  const { task, expected } = shown;
  const pairs = (task?.train ?? []).map(({ input, output }, at) => {
    const isAsBefore = verification?.pairs[at]?.isRight && before?.verification?.pairs[at]?.isRight;
    const name = `train ${at + 1}`;
    return {
      name,
      isAsBefore,
      block: gridsBlock(name, { input, predicted: step.train[at], expected: output }),
    };
  });
  const tests = (task?.test ?? []).map((input, at) =>
    gridsBlock(`test ${at + 1}`, { input, predicted: step.test[at], gold: expected[at] }),
  );
  const same = pairs.filter(({ isAsBefore }) => isAsBefore);
  const blocks: readonly Block[] = [
    ...(instruction ? [{ kind: 'text', text: instructionText(instruction) } as const] : []),
    ...rationaleBlocks(instruction?.rationale ?? program?.rationale ?? ''),
    ...(program ? [{ kind: 'code', title: `Version ${number}`, text: program.source } as const] : []),
    ...(status === null ? [] : [secondaryText(`generator: ${oneLine(status) || '(it said nothing)'}`)]),
    ...failuresOf(errors, train.length).map((text): Block => ({ kind: 'text', tone: 'bad', text })),
    ...pairs.filter(({ isAsBefore }) => !isAsBefore).map(({ block }) => block),
    ...tests,
    ...(same.length > 0
      ? [
          {
            kind: 'part',
            title: `${same.map((pair) => pair.name).join(', ')}: right as before`,
            tone: 'good',
            isFolded: true,
            blocks: same.map(({ block }) => block),
          } as const,
        ]
      : []),
  ];
  const told = verification ? 'verifier' : instruction ? 'instruction' : 'program';
  return {
    kind: 'part',
    title: `Step ${number}`,
    about: verification ? formatVerification(verification) : 'not verified',
    ...(verification ? { tone: verification.passed ? 'good' : 'bad' } : {}),
    seq: shown.seqOf(told, name, number),
    // The first one that failed and how it ended come first.
    isFolded: steps.length > 4 && number !== 1 && number !== steps.at(-1)?.number,
    blocks,
  };
}

function rationaleBlocks(rationale: string): readonly Block[] {
  return rationale.trim() === '' ? [] : [secondaryText(`Because: ${rationale.trim()}`)];
}

function secondaryText(text: string): Block {
  return { kind: 'text', tone: 'soft', text };
}

type Pair = {
  readonly input: Grid;
  readonly predicted?: Grid | null | undefined;
  readonly expected?: Grid;
  /** The expected output of a test. */
  readonly gold?: Grid | null | undefined;
};

function gridsBlock(title: string, { input, predicted, expected, gold }: Pair): Grids {
  const right = expected ?? gold;
  const difference = predicted && right ? differenceMarks(right, predicted) : null;
  const marks = difference ?? [];
  const cells = right ? right.length * widthOf(right) : 0;
  const told =
    !predicted || !right
      ? {}
      : difference === null
        ? { about: `${sizeText(predicted)} in the place of ${sizeText(right)}`, tone: 'bad' as const }
        : {
            about: `${cells - marks.length} of ${cells} cells right`,
            tone: marks.length === 0 ? ('good' as const) : ('bad' as const),
          };
  const incorrect = expected ? { marks } : {};
  return {
    kind: 'grids',
    title,
    ...told,
    grids: [
      { label: 'input', cells: input },
      ...(predicted ? [{ label: 'predicted', cells: predicted, ...incorrect }] : []),
      ...(expected ? [{ label: 'expected', cells: expected }] : []),
      ...(expected && marks.length > 0 ? [differenceOf(expected, marks)] : []),
      ...goldGrids(gold ?? null, predicted ? [predicted] : []),
    ],
  };
}

type Marks = readonly (readonly [row: number, column: number])[];

function differenceMarks(right: Grid, grid: Grid): Marks | null {
  return differingCells(right, grid)?.map(({ row, column }) => [row - 1, column - 1] as const) ?? null;
}

function differenceOf(cells: Grid, marks: Marks, label = 'difference') {
  return { label, cells, marks, isDifference: true };
}

/** What a test expects, and where outputs of it differ. */
function goldGrids(gold: Grid | null, created: readonly Grid[]): Grids['grids'] {
  if (!gold) return [];
  const differences = created.flatMap((each, at) => {
    const marks = differenceMarks(gold, each) ?? [];
    const label = created.length > 1 ? `difference of attempt ${at + 1}` : 'difference';
    return marks.length > 0 ? [{ ...differenceOf(gold, marks, label), isUnseen: true }] : [];
  });
  return [{ label: 'right answer, not shown to the model', cells: gold, isUnseen: true }, ...differences];
}

function voteBlocks({ induction: { vote, lines } }: Outcome): readonly Block[] {
  if (!vote) return [];
  return vote.queries.map((candidates, at) => ({
    kind: 'table',
    title: `Vote on test ${at + 1}`,
    columns: [
      { title: 'hypothesis' },
      { title: 'votes', isNumber: true },
      { title: 'passing', isNumber: true },
      { title: 'score', isNumber: true },
    ],
    rows: candidates.map(({ from, votes, passing, score }, place) => ({
      cells: [
        `${from}${place < 2 && lines.length > 1 ? `, attempt ${place + 1}` : ''}`,
        String(votes),
        String(passing),
        score.toFixed(2),
      ],
      isMarked: place === 0,
    })),
  }));
}

/** What was handed in, and which of it the solutions call right. */
function answerBlocks({ expected, outcome: { attempts, right } }: TaskPanelData): readonly Block[] {
  return attempts.map((created, at): Block => {
    const found = right?.[at];
    const description = right
      ? found
        ? `right by attempt ${found}; no model was shown the solutions`
        : 'wrong; no model was shown the solutions'
      : 'not graded';
    return {
      kind: 'grids',
      title: `Handed in for test ${at + 1}`,
      about: description,
      ...(right ? { tone: found ? ('good' as const) : ('bad' as const) } : {}),
      grids: [
        ...created.map((cells, attempt) => ({ label: `attempt ${attempt + 1}`, cells })),
        ...goldGrids(expected[at] ?? null, created),
      ],
    };
  });
}
