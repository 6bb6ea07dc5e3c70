/** What is to be tuned, and how: the program, its constants and their ranges, read and checked before anything is run. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { readRange } from '../../../agents/search/constant-marks.ts';
import { liftConstants } from '../../../agents/search/constants.ts';
import { chosenParameters } from '../../../agents/search/parameter-choice.ts';
import type { Shell } from '../../../cli/contract.ts';
import { UserError } from '../../../core/errors.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { findProgram } from '../candidate.ts';

export type TuneOptions = {
  readonly cases?: string;
  readonly unseen?: number;
  readonly evaluations?: number;
  readonly timeLimit?: number;
  readonly parameter?: readonly string[];
  readonly include?: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
};

export type Parameter = {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly scale: 'linear' | 'log';
};

export type TuningPlan = {
  readonly file: string;
  readonly source: string;
  /** Absolute. */
  readonly writeTo: string;
  /** Empty: what the program itself says. */
  readonly parameters: readonly Parameter[];
  readonly constants: ReturnType<typeof chosenParameters>;
};

type Question = {
  readonly workspace: Workspace;
  readonly file: string | undefined;
  readonly options: TuneOptions;
};

/** As the agent has it, too. */
const mostParameters = 8;

export function planTuning(shell: Shell, { workspace, file, options }: Question): TuningPlan {
  const { include } = options;
  const found = findProgram(shell, { workspace, file, include });
  const writeTo = options.out === undefined ? tunedName(found.path) : resolve(shell.folder, options.out);
  refuseWhatIsThere(writeTo, options);
  const asked = (options.parameter ?? []).map((text) => parameterOf(text));
  refuseTwice(asked);
  const own = asked.length > 0 ? asked : ownParameters({ ...found, own: readFileSync(found.path, 'utf8') });
  const constants = chosenParameters({ source: found.source, parameters: own, mostParameters });
  return { file: found.file, source: found.source, writeTo, parameters: own, constants };
}

/** `main.cpp` → `main.tuned.cpp`, beside it. */
function tunedName(path: string): string {
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}.tuned${extension || '.cpp'}`);
}

/** Hours of search should not end in a refusal to write. */
function refuseWhatIsThere(path: string, { force = false }: TuneOptions): void {
  if (force || !existsSync(path)) return;
  throw new UserError({
    code: 'exists-already-nothing-was-begun',
    what: `${path} exists already; nothing was begun.`,
    fix: 'Name another place with --out, or add --force to replace it.',
  });
}

/** `NAME=LOW..HIGH[:log]` */
function parameterOf(text: string): Parameter {
  const { name, range, scale } =
    /^(?<name>[^=\s]+)=(?<range>[^:\s]+)(?::(?<scale>log|linear))?$/.exec(text.trim())?.groups ?? {};
  const read = range === undefined ? null : readRange(range, scale === 'log');
  if (name !== undefined && read !== null && typeof read !== 'string') return { name, ...read };
  throw new UserError({
    code: 'parameter-no-constant-with-range',
    what: `--parameter ${text} is no constant with a range.`,
    why: typeof read === 'string' ? read : undefined,
    fix: 'It is written NAME=LOW..HIGH or NAME=LOW..HIGH:log, as in START_TEMPERATURE=10..1000:log.',
  });
}

function refuseTwice(parameters: readonly Parameter[]): void {
  const twice = parameters.find(({ name }, at) => parameters.findIndex((each) => each.name === name) !== at);
  if (!twice) return;
  throw new UserError({
    code: 'parameter-given-twice',
    what: `The parameter ${twice.name} is given twice.`,
    fix: 'Give it once.',
  });
}

/**
 * Of a program that headers were put into, its own constants: those of the headers are somebody else's choice. Plain
 * numbers are named by their lines, which are others now, so only those with a name of their own are found again.
 */
function ownParameters({
  included,
  own,
  source,
}: {
  readonly included: readonly string[];
  readonly own: string;
  readonly source: string;
}): readonly Parameter[] {
  if (included.length === 0) return [];
  const there = new Set(liftConstants(source).constants.map(({ name }) => name));
  return chosenParameters({ source: own, parameters: [], mostParameters })
    .filter(({ name, origin }) => origin !== 'plain' && there.has(name) && !/^line\d+_\d+$/.test(name))
    .map(({ name, low, high, scale }) => ({ name, low, high, scale }));
}
