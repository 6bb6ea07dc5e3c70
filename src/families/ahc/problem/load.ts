/** Reads a workspace as a problem: statement, rules, inputs, tools. All that is wrong with it is said here. */
import { UnavailableError } from '../../../core/errors.ts';
import type { Folder, Io } from '../../../core/io.ts';
import type { ProblemSpec } from '../../../core/problem.ts';
import type { SandboxInfo, Toolchain } from '../../../core/sandbox.ts';
import { featureNames } from '../compare/features.ts';
import { inputHash, type Prepared, prepare } from '../evaluation.ts';
import { layout } from '../layout.ts';
import { readFirstProgram } from '../plain/first-program.ts';
import { questionIn } from '../plain/question-in.ts';
import { briefOf } from './brief.ts';
import type { AhcParts } from './desk.ts';
import { detailOf, type Facts } from './facts.ts';
import type { AhcReference } from './reference.ts';
import { readStatement } from './statement.ts';
import { type Template, templateOf } from './template.ts';

export async function poseContest(
  parts: AhcParts,
  named: AhcReference,
  { sandbox }: Pick<Io, 'sandbox'>,
): Promise<ProblemSpec> {
  const reference = withAbsolutePaths(parts, named);
  const workspace = parts.openWorkspace(reference.workspace);
  const { folder } = workspace;
  const prepared = await prepare({ workspace }, reference.cases === null ? {} : { cases: reference.cases });
  const statement = await readStatement({ folder, files: parts.files }, reference);
  const { contest, names } = prepared;
  const toolchain = toolchainOf(await sandbox.info());
  const inputs = await inputsOf(parts, prepared);
  const template = await templateIn(folder, contest, statement);
  const facts: Facts = {
    contest,
    cases: [...names],
    best: bestOf(prepared, inputs),
    features: [...featureNames(await folder.read(layout.inputFormat))],
    template: template.source,
    templateTold: template.told,
  };
  return {
    family: 'ahc',
    id: `ahc/${contest.id}`,
    title: contest.title,
    reference,
    contentHash: parts.hashText(
      JSON.stringify([statement, contest, await crateHash(parts, folder), [...inputs]]),
    ),
    statement,
    brief: briefOf(contest, { toolchain, cases: names.length }),
    stages: [],
    detail: detailOf(facts),
  };
}

function withAbsolutePaths({ files }: AhcParts, reference: AhcReference): AhcReference {
  const { workspace, problemFile } = reference;
  return {
    ...reference,
    workspace: files.absolute(workspace),
    problemFile: problemFile === null ? null : files.absolute(problemFile),
  };
}

async function templateIn(
  folder: Folder,
  { isInteractive }: Facts['contest'],
  statement: ProblemSpec['statement'],
): Promise<Template> {
  const text = statement.find((part) => part.type === 'text')?.text ?? '';
  return templateOf({
    ...(await questionIn(folder, { isInteractive, statement: text })),
    main: await folder.read(layout.solution),
    first: await readFirstProgram(folder),
  });
}

/** Hashes of the inputs, by the names of the cases. */
async function inputsOf(
  { hashText }: AhcParts,
  { names, inputs }: Prepared,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const name of names) hashes.set(name, inputHash(hashText, await inputs.read(name)));
  return hashes;
}

/** What is known of these inputs; of another one that had the same name, nothing. */
function bestOf({ best }: Prepared, inputs: ReadonlyMap<string, string>): Record<string, number> {
  const known = [...inputs].flatMap(([name, input]) => {
    const score = best.of({ name, input });
    return score === null ? [] : [[name, score] as const];
  });
  return Object.fromEntries(known);
}

/** Of the tools' own sources: what they depend on is named in the lockfile, and need not be read. */
async function crateHash({ hashText }: AhcParts, folder: Folder): Promise<string> {
  const names = (await folder.files(layout.crate)).filter((name) =>
    /^(src\/|Cargo\.(toml|lock)$)/.test(name),
  );
  const texts = await Promise.all(names.map((name) => folder.read(`${layout.crate}/${name}`)));
  return hashText(JSON.stringify([names, texts]));
}

function toolchainOf({ toolchains, backend }: SandboxInfo): Toolchain {
  const found = toolchains.find(({ language }) => language === 'cpp');
  if (found) return found;
  throw new UnavailableError({
    code: 'machine-cannot-run-c-programs',
    what: 'This machine cannot run C++ programs.',
    why: `The sandbox ${backend} found no compiler for it.`,
    fix: 'Run `polya setup`, which installs what is missing.',
  });
}
