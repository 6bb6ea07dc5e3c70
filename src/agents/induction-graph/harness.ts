/**
 * A model's program on grids: the Python around it that calls `transform` for each grid, and the reading of what came
 * of it. The program sees inputs alone, never an expected output; what it prints goes to stderr, what it raises is told
 * with its last lines. It runs in the sandbox, so nothing here is a guard.
 */
import type { ProgramRequest, ProgramResult } from '../../core/agent.ts';
import type { Grid } from '../../core/problem.ts';
import { gridFault, isGrid } from '../../grids/grid.ts';

/** What a program made of one grid: a grid, or what went wrong, in words for the model. */
export type Transformed = { readonly grid: Grid | null; readonly error: string | null };

const mostErrorCharacters = 1_200;

/** For what needs no processor: to begin, to sleep, to wait for one that others have. What a program may take is CPU time. */
const idleMs = 30_000;

export function programRequest(source: string, inputs: readonly Grid[], seconds: number): ProgramRequest {
  const cpuMs = Math.ceil(seconds * 1000 * inputs.length) + 2_000;
  return {
    language: 'python',
    source: harness,
    files: { 'solution.py': source },
    stdin: JSON.stringify({ inputs, seconds }),
    limits: { cpuMs, wallMs: cpuMs * 2 + idleMs, outputBytes: 1_000_000 },
  };
}

/** One for each input, in their order, whatever became of the program. */
export function readTransformed({ run }: ProgramResult, inputs: readonly Grid[]): readonly Transformed[] {
  const results = run ? resultsIn(run.stdout.text) : [];
  const end = run ? endText(run) : 'It did not compile.';
  return inputs.map((_, at) => results.find(({ index }) => index === at)?.made ?? { grid: null, error: end });
}

/** A line an input: what a killed program had finished by then counts. */
function resultsIn(stdout: string) {
  return stdout.split('\n').flatMap((line) => {
    try {
      const { index, grid, error } = JSON.parse(line) as Record<string, unknown>;
      return typeof index === 'number' ? [{ index, made: madeOf(grid, error) }] : [];
    } catch {
      return [];
    }
  });
}

function madeOf(grid: unknown, error: unknown): Transformed {
  if (typeof error === 'string') return { grid: null, error: tail(error) };
  if (isGrid(grid)) return { grid, error: null };
  return { grid: null, error: `What transform returned is no grid: ${gridFault(grid)}.` };
}

function endText({ verdict, exitCode, stderr }: NonNullable<ProgramResult['run']>): string {
  const said = stderr.text.trim();
  const how: Readonly<Record<string, string>> = {
    ok: 'It ended before it came to this grid.',
    exit: `It ended with exit status ${exitCode}.`,
    cpu: 'Its CPU time was used up.',
    wall: 'Its time was used up.',
    memory: 'It took more memory than there is.',
    output: 'It wrote more than it may.',
  };
  return `${how[verdict] ?? `It was ended (${verdict}).`}${said ? `\n${tail(said)}` : ''}`;
}

/** Python says what matters last. */
function tail(text: string): string {
  return text.length > mostErrorCharacters ? `…${text.slice(-mostErrorCharacters)}` : text;
}

const harness = `import json, math, os, signal, sys, traceback

results = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)
task = json.load(sys.stdin)


class TooSlow(BaseException):
    pass


def too_slow(*_):
    raise TooSlow()


def plain(value):
    if hasattr(value, 'tolist'):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def own_lines(error):
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.endswith('solution.py')]
    return ''.join(traceback.format_list(frames) + traceback.format_exception_only(error))


def tell(**result):
    results.write(json.dumps(result, default=str) + '\\n')
    results.flush()


signal.signal(signal.SIGPROF, too_slow)
transform = None
for index, grid in enumerate(task['inputs']):
    signal.setitimer(signal.ITIMER_PROF, task['seconds'])
    try:
        if transform is None:
            from solution import transform
        made = plain(transform([list(row) for row in grid]))
        signal.setitimer(signal.ITIMER_PROF, 0)
        tell(index=index, grid=made)
    except TooSlow:
        tell(index=index, error='It took more than %g seconds of CPU time.' % task['seconds'])
    except BaseException as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        tell(index=index, error=own_lines(error))
`;
