/** A session for people: how far it is, its best and how that came about, what runs now, what it costs. Pure. */

import type { Output } from '../../../cli/output.ts';
import { finalGainText } from '../../../notes/evolution-line.ts';
import { brokenAtWords, clip, count, duration, grouped, oneLine } from '../../../text/format.ts';
import { allModels, costText, modelsText, tokensText } from '../../../text/labels.ts';
import type { Tone } from '../../../text/paint.ts';
import { table } from '../../../text/table.ts';
import { chartText } from '../words.ts';
import { hintRows, statusCounts } from './folds.ts';
import { aliveMsOf, type Seen, waitedMsOf } from './json.ts';
import { isAsking } from './tell.ts';

const statusTones: Readonly<Record<Seen['session']['status'], Tone>> = {
  running: 'accent',
  stopped: 'warn',
  completed: 'good',
  failed: 'bad',
  crashed: 'bad',
};

const mostSteps = 12;
const leastRoom = 20;

export function statusText(output: Output, seen: Seen): string {
  const { session } = seen;
  const { manifest } = session.place;
  const { paint } = output;
  const facts: readonly (readonly [string, string])[] = [
    ...progressFacts(seen),
    ...triedFacts(seen),
    ...costFacts(seen),
    ['files', session.place.folder.path],
    ...(seen.isBehind ? [behind(manifest.name)] : []),
  ];
  const heading = `Session ${paint('strong', manifest.name)}, ${manifest.contest} (${manifest.direction}, ${manifest.scoring}): ${paint(statusTones[session.status], session.status)}`;
  const lines = facts.flatMap(([name, fact]) =>
    factLines(name, oneLine(fact), Math.max(leastRoom, output.columns - 14)).map(
      (line, index) => `  ${paint('faint', (index === 0 ? name : '').padEnd(11))}${line}`,
    ),
  );
  return [heading, ...lines, ...course(output, seen), ...operators(output, seen), ''].join('\n');
}

/** What is done now changes all the time and may lose its end; all else is read, and paths are copied. */
function factLines(name: string, fact: string, room: number): readonly string[] {
  return name === 'now' ? [clip(fact, room)] : brokenAtWords(fact, room);
}

function behind(name: string): [string, string] {
  return ['', `they lack what could not be written; \`solve --session-id ${name}\` makes it good`];
}

function progressFacts(seen: Seen): [string, string][] {
  const { session, ahc, nowMs } = seen;
  const { state, row, status, place } = session;
  const waitedMs = waitedMsOf(session, nowMs);
  const searched = duration(Math.max(0, aliveMsOf(session, nowMs) - waitedMs));
  const waited = waitedMs < 1000 ? '' : `, and ${duration(waitedMs)} for you`;
  const limit = state.setting ? ` of ${duration(state.setting.timeLimitSeconds * 1000)}` : '';
  const most = state.setting ? ` of ${state.setting.maxGenerations}` : '';
  const best = ahc.candidateOf(state, state.bestId)?.note;
  const score = best ? scoreOf(seen, best.id) : '';
  const why = state.run.end?.error?.message ?? state.over ?? state.run.end?.solution?.detail;
  const header = state.run.header;
  return [
    ...(header ? [['models', modelsText(allModels(state.run))] as [string, string]] : []),
    ['time', `${searched}${limit}${waited}${row?.owner ? `, process ${row.owner.pid}` : ''}`],
    ...(status === 'crashed'
      ? [
          [
            'crashed',
            `its process is gone; \`solve --session-id ${place.manifest.name}\` goes on with it`,
          ] as [string, string],
        ]
      : []),
    ...(status === 'running' && isAsking(seen.session)
      ? [
          ['waits', `for you to confirm: \`solve --interactive --session-id ${place.manifest.name}\``] as [
            string,
            string,
          ],
        ]
      : []),
    ...(why && status !== 'running' ? [['because', why] as [string, string]] : []),
    ...islandFacts(seen),
    ['generation', `${state.generation}${most}, ${countsText(statusCounts(state)) || 'no candidates yet'}`],
    ['best', best ? `${best.id}, score ${score}, by ${best.operator}` : 'none yet'],
    ...(state.final ? finalFacts(state.final) : []),
    ...(status === 'running'
      ? ahc
          .busyNow(state)
          .slice(-8)
          .map(({ island, what }): [string, string] => [
            'now',
            `${island > 0 ? `island ${island} ` : ''}${what}`,
          ])
      : []),
  ];
}

/** How many, and why, where its user left that open. */
function islandFacts({ session: { state } }: Seen): [string, string][] {
  const { setting, trial, run } = state;
  if (!setting) return [];
  const many = run.header?.agent.decided ?? count(setting.islands, 'island');
  const kept = trial ? `; of the beginnings, number ${trial.kept.join(' and ')} went on` : '';
  return [['islands', `${many}${kept}`]];
}

/** Two lines, so that the interval is not what a narrow screen cuts off. */
function finalFacts(final: NonNullable<Seen['session']['state']['final']>): [string, string][] {
  const gain = finalGainText(final).replace(/^; /, '');
  return [
    ['final', `${final.chosen}, ${final.because}`],
    ...(gain === '' ? [] : [['', gain] as [string, string]]),
  ];
}

function scoreOf({ ahc, session }: Seen, id: string): string {
  const value = ahc.scoreNow(session.state, session.place.manifest, id);
  if (value === null) return 'none';
  return Number.isInteger(value) ? grouped(value) : ahc.plainNumber(value);
}

function triedFacts({ session, ahc }: Seen): [string, string][] {
  const { strategies, further, courses } = session.state;
  return [
    ...[...strategies, ...further].map(({ name, idea }, index): [string, string] => [
      index === 0 ? 'strategies' : '',
      `${name}: ${idea}`,
    ]),
    ...courses
      .slice(-2)
      .map(({ generation, change }): [string, string] => ['course', `generation ${generation}: ${change}`]),
    ...hintRows(ahc, session)
      .slice(-3)
      .map((row): [string, string] => [`hint ${row.number}`, `${row.text} (${hintText(row, ahc)})`]),
  ];
}

/** `5 made with it, 2 for it; 3 better than their parents; the best better by 12`. */
export function hintText(row: ReturnType<typeof hintRows>[number], ahc: Seen['ahc']): string {
  if (row.made === 0) return 'nothing made with it yet';
  const gained =
    row.improvements > 0
      ? `made the best better by ${ahc.plainNumber(row.gain)}`
      : 'no better best with it yet';
  return `${grouped(row.made)} made with it, ${grouped(row.directed)} for it; ${grouped(row.better_than_parents)} better than their parents; ${gained}`;
}

function costFacts({ session, machine }: Seen): [string, string][] {
  const { totals } = session.state.run;
  const { tokens } = totals;
  const cost = costText(totals, allModels(session.state.run));
  const isKnown = totals.callsOfUnknownTokens === 0;
  const parts = isKnown ? ` (${grouped(tokens.input)} in, ${grouped(tokens.output)} out)` : '';
  const { cpuSeconds, memoryBytes, processes, diskBytes } = machine;
  return [
    ['tokens', `${tokensText(totals)}${parts} in ${count(totals.modelCalls, 'call')}; cost ${cost}`],
    [
      'machine',
      [
        cpuSeconds === null ? null : `CPU ${duration(cpuSeconds * 1000)}`,
        memoryBytes === null ? null : `memory ${megabytes(memoryBytes)}`,
        processes === null ? null : count(processes, 'process').replace('processs', 'processes'),
        `disk ${megabytes(diskBytes)}`,
      ]
        .filter((each) => each !== null)
        .join(', '),
    ],
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** The course of the best score, a bar a step. */
function course({ columns }: Output, { ahc, session }: Seen): string[] {
  const { scoring } = session.place.manifest;
  const points = ahc
    .courseOfBest(session.state, session.place.manifest)
    .flatMap(({ id, value }) => (value === null ? [] : [{ name: id, value, scored: 1 }]));
  if (points.length === 0) return [];
  const unit = scoring === 'relative' ? 'points' : 'score';
  const chart = chartText({ common: 0, unit, points: points.slice(-mostSteps), leftOut: [] }, columns - 2);
  return ['', 'best score', ...chart.split('\n').map((line) => `  ${line}`)];
}

function operators(output: Output, { ahc, session }: Seen): string[] {
  const rows = ahc.creditByOperator(session.state, session.place.manifest);
  if (rows.length === 0) return [];
  const cells = rows.map(({ operator, made, evaluated, betterThanParents, improvements, tokens }) => [
    operator,
    ...[made, evaluated, betterThanParents, improvements].map(grouped),
    tokens === null ? 'unknown' : grouped(tokens),
  ]);
  const head = ['operator', 'made', 'run on all', 'better than parents', 'new best', 'tokens'];
  return ['', table(output, head, cells).trimEnd()];
}

export function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, times]) => `${grouped(times)} ${name}`)
    .join(', ');
}
