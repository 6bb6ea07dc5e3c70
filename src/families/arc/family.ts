/**
 * The family of tasks of the Abstraction and Reasoning Corpus, from files of the user's. A problem shows its function by
 * examples; its solutions are read again by the grading alone, and stand nowhere in its spec. Knows no agent.
 */
import { z } from 'zod';
import { UnavailableError, UserError } from '../../core/errors.ts';
import { toJson } from '../../core/json.ts';
import type {
  Brief,
  Examples,
  Family,
  Grade,
  Grid,
  Problem,
  ProblemSpec,
  Samples,
  Submission,
} from '../../core/problem.ts';
import { formatGrid, sizeText } from '../../grids/grid.ts';
import { parseGrids } from '../../grids/parse.ts';
import { answerIn, gradeOf, sameAnswer } from './answer.ts';
import { type ArcFiles, type JsonReader, keptJsonOf } from './files.ts';
import { readSolutions, solutionOf } from './solutions.ts';
import { type ArcTask, readTask } from './task.ts';
import { invalidTasksError, loadTaskFile, type TaskFile, unknownTasks } from './task-file.ts';

type ArcSettings = { readonly files: ArcFiles; hashText(text: string): string };
type TaskService = ArcSettings & { readonly readJson: JsonReader };

export function arcFamily(settings: ArcSettings): Family {
  const server = { ...settings, readJson: keptJsonOf(settings.files) };
  return {
    name: 'arc',
    reference: referenceSchema,
    travels: true,
    offers: ['examples', 'parse', 'equal', 'samples'],
    load: async (json) => load(server, parseReference(json)),
    open: (spec) => openTask(server, spec),
  };
}

async function load(
  { files, hashText, readJson }: TaskService,
  reference: ArcReference,
): Promise<ProblemSpec> {
  const { file, solutions, task: only } = reference;
  const loaded = await loadTaskFile(files, { file, solutions, only }, readJson);
  const task = taskOf(loaded, only);
  const solution = loaded.solutions?.byTask.get(task.id) ?? null;
  return {
    family: 'arc',
    id: `arc/${task.id}`,
    title: `ARC ${task.id}`,
    reference: { file: loaded.path, task: task.id, solutions: solution && (loaded.solutions?.path ?? null) },
    contentHash: hashText(JSON.stringify([task.train, task.test, solution])),
    statement: [{ type: 'text', text: statementOf(task) }],
    brief: taskBrief(task),
    stages: [],
    // In the official form, and as a text, which journals keep once however many runs have it.
    detail: { task: JSON.stringify({ train: task.train, test: task.test.map((input) => ({ input })) }) },
  };
}

function taskOf({ path, ids, tasks, faults }: TaskFile, named: string | undefined): ArcTask {
  if (named === undefined && ids.length > 1) {
    throw new UserError({
      code: 'task-not-named',
      what: `${path} has ${ids.length} tasks, and none is named.`,
      fix: `Name one, ${ids[0]} for instance.`,
    });
  }
  const id = named ?? ids[0] ?? '';
  if (!ids.includes(id)) throw unknownTasks({ ids, path }, [id]);
  const own = faults.filter(({ task }) => task === id);
  const task = tasks.find((each) => each.id === id);
  if (!task || own.length > 0) throw invalidTasksError(path, own);
  return task;
}

function openTask(taskService: TaskService, spec: ProblemSpec): Problem {
  const { train, test } = taskIn(spec);
  const examples: Examples = { pairs: train, queries: test };
  const { solutions } = parseReference(spec.reference);
  return {
    spec,
    examples,
    samples: samplesOf(examples),
    parse: (reply) => answerIn(reply, test.length),
    equal: sameAnswer,
    grade: solutions ? (submission) => grade(taskService, spec, submission) : undefined,
  };
}

/** Programs read a grid and print one; each further program is another attempt. */
function samplesOf({ pairs, queries }: Examples): Samples {
  return {
    language: 'python',
    format:
      'The program reads one grid from standard input, a line a row with spaces between the digits, and prints the output grid in the same form and nothing else.',
    pairs: pairs.map(({ input, output }) => ({ input: formatGrid(input), output: formatGrid(output) })),
    target: {
      type: 'inputs',
      inputs: queries.map((query) => formatGrid(query)),
      answer(attempts) {
        const grids = queries.map((_, at) =>
          attempts.flatMap((outputs) => {
            const read = parseGrids(`\`\`\`\n${outputs[at]}\n\`\`\``, 1);
            return read.ok ? read.grids : [];
          }),
        );
        const isComplete = grids.every((each) => each.length > 0);
        if (isComplete) return { type: 'grids', attempts: grids };
        return { type: 'misfit', feedback: 'A program printed no grid for a test input.' };
      },
    },
  };
}

/** The task of a run, from the spec in its journal's header. */
export function taskIn(spec: Pick<ProblemSpec, 'reference' | 'detail'>): ArcTask {
  const { task: id = '' } = parseReference(spec.reference);
  const text = spec.detail.task;
  const read = readTask(id, typeof text === 'string' ? JSON.parse(text) : undefined);
  if ('task' in read) return read.task;
  throw new UserError({
    code: 'journal-without-task',
    what: `The journal holds no ARC task: ${read.faults[0]?.what}.`,
    fix: 'It was written by another version of Polya; start a new run.',
  });
}

async function grade(taskService: TaskService, spec: ProblemSpec, { answer }: Submission): Promise<Grade> {
  return toJson(gradeOf(await solutionsOf(taskService, spec), answer)) as Grade;
}

/** As they were when the run began; they stand in no journal. Throws `UnavailableError` where they are not there. */
export async function solutionsOf(
  { files, hashText, readJson }: TaskService,
  spec: Pick<ProblemSpec, 'reference' | 'detail' | 'contentHash'>,
): Promise<readonly Grid[]> {
  const task = taskIn(spec);
  const path = String(spec.reference.solutions);
  const raw = await readSolutions(files, path, { readJson, only: task.id });
  const solution = raw && solutionOf(raw, task);
  if (!solution || 'faults' in solution) {
    throw cannotGradeError(path, solution ? (solution.faults[0]?.what ?? '') : 'The file is gone');
  }
  if (hashText(JSON.stringify([task.train, task.test, solution.grids])) !== spec.contentHash) {
    throw cannotGradeError(path, 'They are others than when the run began');
  }
  return solution.grids;
}

function cannotGradeError(path: string, why: string): UnavailableError {
  return new UnavailableError({
    code: 'solutions-gone',
    what: `The answer cannot be graded by the solutions in ${path}.`,
    why: `${why}.`,
    fix: 'Put the file back as it was, then `polya runs resume` grades the answer that there is.',
  });
}

const referenceSchema = z.strictObject({
  file: z.string().min(1).describe('A file of tasks, of one task, or a folder of such files.'),
  task: z.string().min(1).exactOptional().describe('The id of the task, where there are several.'),
  solutions: z
    .string()
    .min(1)
    .nullable()
    .exactOptional()
    .describe(
      'The file of solutions. Absent: beside the challenges, or in the file itself, where they are. Null: without.',
    ),
});

type ArcReference = z.infer<typeof referenceSchema>;

function parseReference(json: unknown): ArcReference {
  const parsed = referenceSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UserError({
    code: 'reference-invalid',
    what: `This names no ARC task: ${z.prettifyError(parsed.error)}`,
    fix: 'Give `file`, `task`, and `solutions` where they are not beside the challenges.',
  });
}

function statementOf({ train, test }: ArcTask): string {
  const pairs = train.map(({ input, output }, at) =>
    [
      `## Train pair ${at + 1}`,
      `Input (${sizeText(input)}):\n${formatGrid(input)}`,
      `Output (${sizeText(output)}):\n${formatGrid(output)}`,
    ].join('\n\n'),
  );
  const inputs = test.map(
    (input, at) => `## Test input ${at + 1} (${sizeText(input)})\n\n${formatGrid(input)}`,
  );
  const question = `One and the same rule turns each train input into its output. What does it make of the test ${test.length > 1 ? 'inputs' : 'input'}?`;
  return [question, ...pairs, ...inputs].join('\n\n');
}

function taskBrief({ test }: ArcTask): Brief {
  const isMultiple = test.length > 1;
  const each = isMultiple ? `each of the ${test.length} test inputs` : 'the test input';
  const order = isMultiple ? ', in the order of the test inputs' : '';
  const estimates = isMultiple
    ? 'Two guesses for each test input count. Where you are not sure, give a second one for every test input: both guesses for test input 1, then both for test input 2, and so on.'
    : 'Two guesses count. Where you are not sure, give a second one for it, in a second fence.';
  return {
    task: `One rule turns each train input into its output. Find it, and apply it to ${each}. A grid has 1 to 30 rows and columns; its cells are colours, the digits 0 to 9. Sizes are rows×columns.`,
    answerFormat: `Give the output of ${each} as a grid in a fence of its own (\`\`\`): one line per row, its digits with spaces between them${order}. Put nothing else into fences, and nothing but a plain label right above one. ${estimates}`,
    criteria: `An output is right when its size and every cell are right. ${isMultiple ? 'The task is solved when all outputs are right.' : 'The task is solved when it is right.'}`,
    environment: '',
  };
}
