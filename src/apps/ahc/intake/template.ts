/**
 * `init --template FILE`: the user's program is read before anything is made, kept in `problem/`, copied to `main.cpp`
 * where no other work stands there, and tried with the official tools. A template that fails is kept: it is the user's.
 */
import { UnavailableError } from '../../../core/errors.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import {
  decidingTool,
  type EvaluateOptions,
  evaluate,
  type JudgedCase,
  type TestCase,
  ToolsDoNotBuild,
} from '../../../families/ahc/judge/evaluate.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { describeTrial, differsFromTemplate, type TemplateTrial } from '../../../families/ahc/template.ts';
import { type ContestFile, contestOf, readCrate } from '../../../families/ahc/workspace.ts';
import { libraryFolders } from '../../../open/families/ahc/library.ts';
import type { WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import { hashText } from '../../../run/hash.ts';
import { bundleFile } from '../workspace/program.ts';
import type { ToolsWork } from './tools.ts';
import type { Keeper } from './workspace-files.ts';

export type NamedTemplate = { readonly file: string; readonly source: string };

/** As one file: headers of its user's and of the algorithm library are put in. Throws `UserError` where it cannot be read. */
export function readTemplate(file: string, question: WorkspaceQuestion, config: Resolved): NamedTemplate {
  const library = () => libraryFolders(config, question);
  return { file, source: bundleFile({ folder: question.folder, file, library }).text };
}

type TemplateWork = Pick<ToolsWork, 'keeper' | 'parts' | 'signal'> & {
  readonly contest: ContestFile;
  readonly config: Pick<Resolved, 'get'>;
  /** Whether the official tools work here. */
  readonly isBuilt: boolean;
  readonly template: NamedTemplate | null;
};

export type TemplateReport = {
  readonly file: string;
  readonly trial: TemplateTrial | null;
  /** False where `main.cpp` holds work of its user, which stays. */
  readonly isMain: boolean;
  readonly description: string;
};

/** Null without `--template`: an earlier template stays. */
export async function placeTemplate(work: TemplateWork): Promise<TemplateReport | null> {
  const { keeper, template } = work;
  if (template === null) return null;
  const isMain = await placeFiles(keeper, template.source);
  const trial = work.isBuilt ? await tryTemplate(work, template.source) : null;
  return { file: template.file, trial, isMain, description: describeTrial(trial) };
}

async function placeFiles(keeper: Keeper, source: string): Promise<boolean> {
  const { folder } = keeper;
  const main = await folder.read(layout.solution);
  const isMain = main === null || !differsFromTemplate(main, await folder.read(layout.template));
  await keeper.renew(layout.template, source);
  if (isMain) await keeper.renew(layout.solution, source);
  return isMain || main?.trim() === source.trim();
}

const triedCases = 10;

/** Null where no official tool judges, or where the sandbox is missing: the step for the tools reports that. */
async function tryTemplate(work: TemplateWork, source: string): Promise<TemplateTrial | null> {
  const { parts, signal } = work;
  const contest = contestOf(work.contest, work.config);
  const crate = await readCrate(work.keeper);
  const cases = await firstCases(work.keeper);
  const limits = { caseTimeoutMs: 60_000, compileTimeoutMs: 60_000 };
  const options: EvaluateOptions = { contest, source, crate, cases, hashText, ...limits };
  if (cases.length === 0 || decidingTool(options) === null) return null;
  parts.onProgress('trying the template with the official tools');
  try {
    const { compiled, compile, cases: judged } = await evaluate(parts.sandbox, options, () => {}, signal);
    signal.throwIfAborted();
    if (!compiled)
      return { cases: 0, score: null, error: `does not compile: ${compile?.digest ?? ''}`.trim() };
    return trialOf(judged);
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof ToolsDoNotBuild) return null;
    throw error;
  }
}

function trialOf(judged: readonly JudgedCase[]): TemplateTrial {
  const failed = judged.filter(({ verdict }) => verdict !== 'AC' && verdict !== 'NJ');
  const [first] = failed;
  const scores = judged.flatMap(({ score }) => (score === null ? [] : [score]));
  if (!first) return { cases: judged.length, score: mean(scores), error: null };
  const { name, verdict, message } = first;
  const error = `not valid on ${failed.length} of the first ${judged.length} inputs; ${name}: ${verdict}${message && `, ${message}`}`;
  return { cases: judged.length, score: null, error };
}

async function firstCases({ folder }: Keeper): Promise<readonly TestCase[]> {
  const names = (await folder.files(layout.inputs)).filter((name) => /^[^/]+\.txt$/.test(name)).toSorted();
  const first = names.slice(0, triedCases);
  return Promise.all(
    first.map(async (name) => ({ name, input: (await folder.read(`${layout.inputs}/${name}`)) ?? '' })),
  );
}
