/** `polya proof score`: what graders made of many proofs, as a table; beside labels, how often they were right. */
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { type CommandFile, type Output, print, type Shell } from '../../../cli/contract.ts';
import { findRun, withRun } from '../../../cli/journals.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { modelsBehind } from '../../../core/event.ts';
import { shareInterval } from '../../../core/statistics/shares.ts';
import { readYaml } from '../../../core/yaml.ts';
import { readText } from '../../../families/proof/files.ts';
import { localFiles } from '../../../io/local-files.ts';
import { runIdOf } from '../../../studies/run-set/plan.ts';
import { oneLine } from '../../../text/format.ts';
import { field, isObject } from '../../../text/json.ts';
import { modelsText } from '../../../text/labels.ts';
import { table } from '../../../text/table.ts';
import type { Standing } from '../record.ts';
import type { ProofReport } from '../report.ts';
import { readProof } from '../tell.ts';
import { assertProofRun, isOfProof, setNamed } from './show.ts';

export const proofScore: CommandFile = {
  isReport: true,
  define(command: Command) {
    command
      .argument('<run...>', 'runs of proof verify or proof solve, and run-sets of them')
      .option('--labels <file>', 'which proofs are right: YAML, JSON or CSV (docs/proof.md)')
      .option('--json', 'print it as JSON');
  },
  async run(shell, command) {
    const names: readonly string[] = command.processedArgs[0];
    const { labels: path, json } = command.opts<{ labels?: string; json?: boolean }>();
    const labels = path === undefined ? new Map<string, Label>() : await labelsIn(shell, path);
    const reports = new Map<string, ProofReport>();
    for (const name of names) {
      const set = await setNamed(shell, name);
      const ids = set?.plan.rows.map((_, index) => runIdOf(set, index)) ?? [name];
      await withRun(shell, name, async (polya) => {
        for (const each of ids) {
          const { store } = polya.world;
          const row = set ? await store.get(each) : await findRun(store, each);
          if (row) reports.set(row.id, await readProof(shell, polya, row.id));
        }
      });
    }
    const all = [...reports.values()];
    const siblings = all.filter((report) => !isOfProof(report));
    if (siblings.length === all.length) siblings.forEach(assertProofRun);
    for (const { result } of siblings) shell.err.write(`Run ${result.row.id} proves nothing.\n`);
    const runs = all.filter(isOfProof).map((report) => scoredRun(report, labels));
    const known = new Set(runs.flatMap((run) => run.names));
    const unknown = [...labels.keys()].filter((name) => !known.has(name));
    if (unknown.length > 0) shell.err.write(`No run here is of ${oneLine(unknown.join(', '))}.\n`);
    const systems = [...Map.groupBy(runs, ({ system }) => system)].map(([name, own]) => systemOf(name, own));
    print(shell.out, json ? { systems, runs } : scoreText(shell.out, systems, runs));
    return exitCodes.ok;
  },
};

/** The user's label of a proof; `points` if the label is a number. */
type Label = { readonly isRight: boolean; readonly points: number | null };

async function labelsIn(shell: Shell, path: string): Promise<ReadonlyMap<string, Label>> {
  const text = await readText(localFiles('.'), resolve(shell.folder, path), 'labels');
  const isCsv = /\.csv$/i.test(path);
  const yaml = readYaml(isCsv ? text.replaceAll(/^"?(.*?)"?[,;]\s*(\w+)\s*$/gm, '"$1": $2') : text);
  const lines = Object.entries(yaml.ok && isObject(yaml.value) ? yaml.value : {});
  const rows = lines.filter(([, said], at) => !(isCsv && at === 0 && labelOf(said) === null));
  const labels = rows.map(([name, said]) => [name, labelOf(said)] as const);
  const issue = labels.find(([, label]) => label === null);
  if (labels.length > 0 && !issue)
    return new Map(labels.flatMap(([name, label]) => (label ? [[name, label]] : [])));
  throw new UserError({
    code: 'no-labels',
    what: `${path} holds no labels.`,
    why: issue ? `It does not say whether ${issue[0]} is right.` : yaml.ok ? 'It names no proof.' : yaml.why,
    fix: 'Write a line for each proof: `attempt-1.md: right`, `attempt-2.md: wrong`, or its points from 0 to 7.',
  });
}

function labelOf(said: unknown): Label | null {
  const word = String(said).toLowerCase();
  if (/^[0-7]$/.test(word)) return { isRight: word === '7', points: Number(word) };
  const isRight = /^(?:right|correct|true|yes|accepted|passed)$/.test(word);
  return isRight || /^(?:wrong|incorrect|false|no|rejected|failed)$/.test(word)
    ? { isRight, points: null }
    : null;
}

/** Statuses without a verdict are missing. */
const verdicts: { readonly [Each in Standing]?: boolean } = {
  accepted: true,
  doubtful: true,
  passed: true,
  partial: false,
  failed: false,
};

type Scored = ReturnType<typeof scoredRun>;

function scoredRun({ result, record }: ProofReport, labels: ReadonlyMap<string, Label>) {
  const { header, proof, grading, reports, end } = record;
  const subject = String(field(header?.problem.reference, 'proof') ?? header?.problem.id ?? result.row.id);
  const names = [result.row.id, subject, basename(subject)];
  const graders = header?.agent.settings.graders;
  return {
    run: result.row.id,
    subject,
    names,
    outcome: end?.outcome ?? null,
    system: `${header?.agent.name}${Number(graders) > 1 ? ` of ${graders}` : ''} with ${header ? modelsText(modelsBehind(header)) : '?'}`,
    isAccepted: (proof && verdicts[proof.standing]) ?? null,
    points: grading?.points ?? null,
    parts: reports.flatMap(({ grader, parts = [] }) => parts.map((part) => ({ grader, ...part }))),
    label: names.map((name) => labels.get(name)).find((label) => label !== undefined) ?? null,
  };
}

/** By proof: several runs on one are not independent. */
function shareOf(runs: readonly Scored[], isSo: (run: Scored) => boolean) {
  const byProof = [...Map.groupBy(runs, ({ subject }) => subject).values()];
  const shares = byProof.map((own) => own.filter(isSo).length / own.length);
  const interval = shareInterval({ shares, trials: runs.length });
  return { count: runs.filter(isSo).length, of: runs.length, interval };
}

function systemOf(name: string, all: readonly Scored[]) {
  const runs = all.filter(({ isAccepted }) => isAccepted !== null);
  const [right, incorrect] = [true, false].map((is) => runs.filter(({ label }) => label?.isRight === is));
  const off = runs.flatMap(({ points, label }) =>
    points === null || label?.points == null ? [] : [Math.abs(points - label.points)],
  );
  return {
    name,
    undecided: all.length - runs.length,
    accepted: shareOf(runs, ({ isAccepted }) => isAccepted === true),
    rightAccepted: shareOf(right ?? [], isAsLabelled),
    wrongRejected: shareOf(incorrect ?? [], isAsLabelled),
    asLabelled: shareOf([...(right ?? []), ...(incorrect ?? [])], isAsLabelled),
    /** How far the points are from those of the labels, on average. */
    pointsOff: off.length === 0 ? null : off.reduce((sum, each) => sum + each, 0) / off.length,
  };
}

function isAsLabelled({ isAccepted, label }: Scored): boolean {
  return isAccepted === label?.isRight;
}

type System = ReturnType<typeof systemOf>;

function scoreText(output: Output, systems: readonly System[], runs: readonly Scored[]): string {
  const format = ({ count, of, interval }: System['accepted']) =>
    interval
      ? `${count} of ${of} (${[interval.low, interval.high].map((end) => Math.round(100 * end)).join('–')} %)`
      : '';
  const head = [
    'system',
    'accepted',
    'right ones accepted',
    'wrong ones rejected',
    'points off',
    'undecided',
  ];
  const rows = systems.map(({ name, accepted, rightAccepted, wrongRejected, pointsOff, undecided }) => [
    ...[name, ...[accepted, rightAccepted, wrongRejected].map(format)],
    ...[pointsOff?.toFixed(1) ?? '', undecided],
  ]);
  const misjudged = runs.filter((run) => run.label && run.isAccepted !== null && !isAsLabelled(run));
  const lines = misjudged.map(({ run, subject, isAccepted }) =>
    oneLine(`${isAccepted ? 'accepted, and wrong' : 'rejected, and right'}: ${basename(subject)} (${run})`),
  );
  return [
    table(output, head, rows),
    'In brackets: 95 % intervals, by proof.\n',
    ...lines.map((each) => `${each}\n`),
  ].join('');
}
