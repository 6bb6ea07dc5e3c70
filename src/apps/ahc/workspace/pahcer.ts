/**
 * What `pahcer_config.toml` says, where a workspace has one: which seeds, how many at once, which program, what is better.
 * Its commands are never run: programs are compiled and judged in the sandbox as they always are.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import { readPlainFileSync } from '../../../io/plain-file.ts';

const step = z.looseObject({ program: z.string(), args: z.array(z.string()).default([]) });

const settingsSchema = z.looseObject({
  problem: z
    .looseObject({ objective: z.string().optional(), score_regex: z.string().optional() })
    .default({}),
  test: z
    .looseObject({
      start_seed: z.int().min(0).default(0),
      end_seed: z.int().min(0).optional(),
      threads: z.int().min(0).default(0),
      compile_steps: z.array(step).default([]),
      test_steps: z.array(step).default([]),
    })
    .default({ start_seed: 0, threads: 0, compile_steps: [], test_steps: [] }),
});

export type PahcerSettings = {
  /** `0-99`; null where it names no end. Its own end is one further. */
  readonly cases: string | null;
  /** Cases at once; null: as usual. */
  readonly jobs: number | null;
  /** The program that its steps compile or run, where they tell. */
  readonly program: string | null;
  readonly direction: 'maximise' | 'minimise' | null;
  /** True where scores are looked for in another form than the usual one. */
  readonly hasOwnScore: boolean;
};

export const pahcerFile = 'pahcer_config.toml';

/** Null without such a file. Throws `UserError` for one that cannot be read. */
export function readPahcer(folder: string): PahcerSettings | null {
  const path = join(folder, pahcerFile);
  if (!existsSync(path)) return null;
  const { problem, test } = settingsIn(path);
  const objective = problem.objective?.toLowerCase() ?? '';
  const { start_seed: first, end_seed: end, threads } = test;
  if (end !== undefined && end <= first) {
    throw notUsable(path, `end_seed (${end}) is not above start_seed (${first}).`);
  }
  return {
    cases: end === undefined ? null : `${first}-${end - 1}`,
    jobs: threads > 0 ? threads : null,
    program: programIn([...test.compile_steps, ...test.test_steps]),
    direction: objective.startsWith('max') ? 'maximise' : objective.startsWith('min') ? 'minimise' : null,
    hasOwnScore: problem.score_regex !== undefined && !/Score\\s\*=\\s\*/.test(problem.score_regex),
  };
}

/** A source that a step names; `cargo build` in the workspace itself is that of the project. */
function programIn(steps: readonly z.infer<typeof step>[]): string | null {
  const named = steps
    .flatMap(({ args }) => args)
    .find((each) => /^(?:\.{1,2}\/)?[\w./-]+\.(?:cpp|cc|cxx|rs|py)$/.test(each));
  if (named !== undefined) return named.replace(/^\.{1,2}\//, '');
  const isProject = steps.some(
    ({ program, args, ...rest }) =>
      program === 'cargo' && args.includes('build') && !args.includes('--bin') && !('current_dir' in rest),
  );
  return isProject ? 'src/main.rs' : null;
}

function settingsIn(path: string) {
  try {
    return settingsSchema.parse(parse(new TextDecoder().decode(readPlainFileSync(path, 1024 * 1024))));
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : null;
    const text = issue
      ? `${issue.path.join('.')}: ${issue.message}`
      : error instanceof Error
        ? error.message
        : '';
    throw notUsable(path, text.split('\n')[0] ?? '');
  }
}

function notUsable(path: string, why: string): UserError {
  const fix = 'Correct it, or move it away: without it, the settings of the workspace hold.';
  return new UserError({ code: 'config-shape', what: `${path} cannot be used.`, why, fix });
}
