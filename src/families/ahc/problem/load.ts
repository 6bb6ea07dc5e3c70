/** Reads a workspace as a problem: statement, rules, inputs, tools. All that is wrong with it is said here. */
import { UnavailableError, UserError } from '../../../core/errors.ts';
import type { Folder, Io } from '../../../core/io.ts';
import { type ImagePart, imageOf } from '../../../core/model.ts';
import type { Brief, ProblemSpec } from '../../../core/problem.ts';
import type { SandboxInfo, Toolchain } from '../../../core/sandbox.ts';
import { prepare } from '../evaluation.ts';
import { judgeFlags } from '../judge/build.ts';
import { inputHash } from '../judge/evaluate.ts';
import { wallFactor } from '../judge/verdict.ts';
import { layout } from '../layout.ts';
import { type Contest, differsFromTemplate, sourceLimitBytes } from '../workspace.ts';
import { type AhcReference, type ContestInfo, detailOf } from './facts.ts';
import type { AhcParts } from './services.ts';
import { statementText } from './told-statement.ts';
import { withLibrary } from './tools.ts';

export async function loadContest(
  parts: AhcParts,
  named: AhcReference,
  { sandbox, userFolder }: Pick<Io, 'sandbox' | 'userFolder'>,
): Promise<ProblemSpec> {
  const { files, hashText } = parts;
  const reference: AhcReference = {
    ...named,
    workspace: files.absolute(named.workspace),
    problemFile: named.problemFile === null ? null : files.absolute(named.problemFile),
  };
  const workspace = await parts.openWorkspace(reference.workspace);
  const { folder } = workspace;
  // Another statement is sent in the place of the workspace's own.
  const statementFile = userFolder ? null : reference.problemFile;
  const { contest, names, features, inputs, best } = await prepare(workspace, reference.cases ?? undefined);
  const text = withLimits(await readStatement(folder, files, statementFile), contest);
  const imageParts = reference.images ? await loadPictures(folder, text) : [];
  const statementOf = (words: string): ProblemSpec['statement'] => [
    { type: 'text', text: words },
    ...imageParts,
  ];
  const toolchain = toolchainOf(await sandbox.info());
  const hashes = new Map<string, string>();
  for (const name of names) hashes.set(name, inputHash(hashText, await inputs.read(name)));
  const facts: ContestInfo = {
    contest,
    cases: [...names],
    // What is known of these inputs; of another one that had the same name, nothing.
    best: Object.fromEntries(
      [...hashes].flatMap(([name, input]) => {
        const score = best.of({ name, inputHash: input });
        return score === null ? [] : [[name, score]];
      }),
    ),
    features: [...features],
    template: await startingProgram(parts, folder),
  };
  const content = [statementOf(text), contest, await crateHash(parts, folder), [...hashes]];
  return {
    family: 'ahc',
    id: `ahc/${contest.id}`,
    title: contest.title,
    reference,
    contentHash: hashText(JSON.stringify(content)),
    statement: statementOf(statementText(text)),
    brief: contestBrief(contest, toolchain, names.length),
    stages: [],
    detail: detailOf(facts),
  };
}

/** The user's own `main.cpp`, with the headers of the library that it includes put in; else the template. */
async function startingProgram(parts: AhcParts, folder: Folder): Promise<string> {
  const template = (await folder.read(layout.template)) ?? '';
  const main = (await folder.read(layout.solution)) ?? '';
  if (!differsFromTemplate(main, template)) return template;
  try {
    return withLibrary(main, await parts.openLibrary(folder.path)).text;
  } catch (error) {
    // It includes what is nowhere: then no search could begin with it.
    if (error instanceof UserError) return template;
    throw error;
  }
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
    code: 'no-toolchain',
    what: 'This machine cannot run C++ programs.',
    why: `The sandbox ${backend} found no compiler for it.`,
    fix: 'Run `polya setup`, which installs what is missing.',
  });
}

export function contestBrief(contest: Contest, toolchain: Toolchain, cases: number): Brief {
  return {
    task: [
      `Write a program for the problem ${contest.title}, of an AtCoder Heuristic Contest.`,
      'Nobody knows the best answer: every valid one has a score.',
      ...(contest.isInteractive
        ? ['The problem is interactive: the program talks to the judge over its standard input and output.']
        : []),
    ].join(' '),
    answerFormat: [
      'ONE complete C++20 source file, in one block of code fenced by ```cpp and ```.',
      'It reads standard input, writes standard output, and opens no other file.',
      `At most ${sourceLimitBytes / 1024} KiB; it includes nothing but what comes with the compiler.`,
    ].join(' '),
    criteria: scoringCriteria(contest, cases),
    environment: environmentOf(contest, toolchain),
  };
}

function scoringCriteria({ direction, scoring, isInteractive }: Contest, cases: number): string {
  const [more, share] = direction === 'maximise' ? ['higher', 'yours / best'] : ['lower', 'best / yours'];
  return [
    `The ${more} the score of a case, the better.`,
    scoring === 'relative'
      ? `Scoring is relative: a case counts as ${share} of the best score known of it.`
      : 'Scoring is absolute: the scores of the cases are added up.',
    `Programs are measured on ${cases} ${cases === 1 ? 'case' : 'cases'} by the official tools, and in the end on others of the same kind.`,
    'An invalid output, a crash, or a case that takes too long is worth nothing, and may cost the whole submission.',
    ...(isInteractive ? ['Flush standard output after each line.'] : []),
  ].join(' ');
}

function environmentOf({ timeLimitMs, memoryLimitBytes }: Contest, { version, level, notes }: Toolchain) {
  const flags = judgeFlags.join(' ');
  const part = (share: number) => Math.floor(timeLimitMs * share);
  const isTold = notes.some((note) => note.includes(flags));
  return [
    `${version}${level ? ` (${level})` : ''}${isTold ? '' : `, with ${flags}`}, without network.`,
    ...notes,
    `Time limit: ${timeLimitMs} ms of CPU time a case, ${timeLimitMs * wallFactor} ms on the wall; more than ${part(0.9)} ms of CPU counts as a failure here, for the judge may be slower. A program that uses its time starts a wall clock first thing in main and stops at ${part(0.85)} ms.`,
    `Memory limit: ${Math.round(memoryLimitBytes / 2 ** 20)} MiB.`,
  ].join(' ');
}

async function readStatement(folder: Folder, files: AhcParts['files'], problemFile: string | null) {
  const text = problemFile === null ? await folder.read(layout.statement) : await files.read(problemFile);
  if (text !== null && text.trim() !== '') return text;
  throw new UserError({
    code: 'no-statement',
    what: `There is no statement in ${problemFile ?? `${folder.path}/${layout.statement}`}.`,
    why: 'It is what a model reads of the problem.',
    fix: 'Run `polya ahc init` again, write it there yourself, or name another file with --problem-file.',
  });
}

/** The line of limits that `init` writes, as its user has corrected them. Text of the statement itself is left alone. */
function withLimits(text: string, { timeLimitMs, memoryLimitBytes }: Contest): string {
  const [head = '', ...rest] = text.split(/(?=^## )/m);
  const corrected = (value: number) => (text: string, label: string, said: string) =>
    Number(said) === value ? text : `${label}${value}`;
  const limits = head
    .replace(/^((?:Time limit|実行時間制限): )([\d.]+)/m, corrected(timeLimitMs / 1000))
    .replace(
      /^((?:[^\n]* \/ )?(?:Memory limit|メモリ制限): )([\d.]+)/m,
      corrected(memoryLimitBytes / 2 ** 20),
    );
  return [limits, ...rest].join('');
}

const mostPictures = 20;
const mostPictureBytes = 5 * 1024 * 1024;

async function loadPictures(folder: Folder, text: string): Promise<readonly ImagePart[]> {
  const shown = text.matchAll(/!\[[^\]]{0,2000}\]\((?:problem\/)?(images\/[^)\s]+)\)/g);
  const names = [...new Set([...shown].map(([, name = '']) => name))].slice(0, mostPictures);
  const parts = await Promise.all(names.map((name) => loadPicture(folder, `${layout.problem}/${name}`)));
  return parts.filter((part) => part !== null);
}

async function loadPicture(folder: Folder, path: string): Promise<ImagePart | null> {
  const bytes = await folder.readBytes(path);
  return bytes && bytes.length <= mostPictureBytes ? imageOf(bytes) : null;
}
