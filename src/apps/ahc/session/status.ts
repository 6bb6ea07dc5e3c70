/** What a session has come to, for `ahc status`: as JSON, and as the text that is made from it. */
import type { Output } from '../../../cli/contract.ts';
import { finalImprovementText } from '../../../notes/evolution-line.ts';
import { count, duration, grouped, oneLine } from '../../../text/format.ts';
import { allModels, costText, labelOf, modelsText, tokensText } from '../../../text/labels.ts';
import type { Tone } from '../../../text/paint.ts';
import { table } from '../../../text/table.ts';
import { fitToWidth, wrapWords } from '../../../text/wrap.ts';
import { type Counting, creditByOperator, creditor, followed, scoreNow } from './course.ts';
import { countsOf, type SessionStatus, sessionDocument } from './files.ts';
import { busyNow, candidateOf, type SessionState } from './fold.ts';
import { isAsking, type SeenSession } from './look.ts';
import { files, plainNumber } from './names.ts';
import { machineUsage } from './usage.ts';

type StatusFacts = { readonly address?: string | null; readonly isBehind?: boolean };

export type SessionStatusJson = ReturnType<typeof statusJson>;

/**
 * What session.json says, and what is true only at this moment. `address`: where a person answers for its models. `isBehind`:
 * the files of the session lack something that its journal has.
 */
export function statusJson(session: SeenSession, { address = null, isBehind = false }: StatusFacts = {}) {
  const { state, status, place, row, facts } = session;
  const { strategies, setting } = state;
  const document = sessionDocument(state, facts, status);
  const { aliveMs, waitedMs } = timesOf(session);
  return {
    ...document,
    folder: place.folder.path,
    files_behind: isBehind,
    pid: row?.owner?.pid ?? null,
    labels: [...new Set(document.models.map(({ kind }) => labelOf(kind)))].filter((each) => each !== null),
    islands: setting?.islands ?? null,
    /** The reason for this number, if the user did not choose it. */
    islands_because: state.run.header?.agent.decided ?? null,
    /** Which beginnings went on, where there were more than islands. */
    trial: state.trial,
    max_generations: setting?.maxGenerations ?? null,
    time_limit_seconds: setting?.timeLimitSeconds ?? null,
    answer_at: status === 'running' ? address : null,
    seconds_alive: Math.round(aliveMs / 1000),
    seconds_waited: Math.round(waitedMs / 1000),
    best_score: scoreNow(state, facts, state.bestId),
    candidates: countsOf(state.candidates.map(({ note }) => note.status)),
    operators: creditByOperator(state, facts),
    strategies: strategies.map(({ name, idea }) => ({ name, idea })),
    doing: status === 'running' ? busyNow(state).map(({ island, what }) => ({ island, what })) : [],
    asks: isAsking(session),
    hints: hintRows(session),
    over: state.over,
    final: state.final,
    machine: machineUsage(row?.owner?.pid ?? null, place.folder.path),
  };
}

/** `waitedMs`: part of the time alive in which the session waited for its user to confirm something, and did not search. */
function timesOf(session: SeenSession) {
  const { run, waitedMs } = session.state;
  const sinceLastMs = session.status === 'running' ? Math.max(0, Date.now() - run.lastAtMs) : 0;
  return { aliveMs: run.aliveMs + sinceLastMs, waitedMs: waitedMs + (isAsking(session) ? sinceLastMs : 0) };
}

/** The user's hints: how many prompts held each, and what came of the candidates that followed it. */
export function hintRows({ state, facts }: { readonly state: SessionState; readonly facts: Counting }) {
  const creditFor = creditor(state, facts);
  return state.hints.map(({ number, text }) => {
    const credit = creditFor(({ note }) => followed(note, number));
    const { betterThanParents, improvements, gain } = credit;
    const createdCount = state.candidates.filter(({ note }) => note.hints.includes(number)).length;
    const directed = state.candidates.filter(({ note }) => note.parameters.hint === number).length;
    return {
      number,
      text,
      made: createdCount,
      directed,
      better_than_parents: betterThanParents,
      improvements,
      gain,
    };
  });
}

const statusTones: Readonly<Record<SessionStatus, Tone>> = {
  running: 'accent',
  stopped: 'warn',
  completed: 'good',
  failed: 'bad',
  crashed: 'bad',
};

const leastRoom = 20;

export function statusText(output: Output, session: SeenSession, json: SessionStatusJson): string {
  const { status, facts: known } = session;
  const { name, contest, direction, scoring } = known;
  const { paint, columns } = output;
  const entries = [...progressFacts(session, json), ...triedFacts(json), ...costFacts(session, json)];
  entries.push(['files', json.folder]);
  if (json.files_behind)
    entries.push(['', `they lack what could not be written; \`solve --session-id ${name}\` makes it good`]);
  const capacity = Math.max(leastRoom, columns - 14);
  const lines = entries.flatMap(([entry, text]) => {
    // A line of `now` changes all the time and may lose its end. All else is broken at words, so that paths can be copied.
    const corrupt =
      entry === 'now' ? [fitToWidth(oneLine(text), capacity)] : wrapWords(oneLine(text), capacity);
    return corrupt.map((line, at) => `  ${paint('faint', (at === 0 ? entry : '').padEnd(11))}${line}`);
  });
  const heading = `Session ${paint('strong', name)}, ${contest} (${direction}, ${scoring}): ${paint(statusTones[status], status)}`;
  return `${[heading, ...lines, ...operatorLines(output, json)].join('\n')}\n`;
}

/** Its name stands in the left column; without one it belongs to the fact above it. */
type Fact = readonly [name: string, text: string];

function progressFacts(session: SeenSession, json: SessionStatusJson): readonly Fact[] {
  const { state, row, status, place } = session;
  const { setting, run, final, trial } = state;
  const { name } = place;
  const { aliveMs, waitedMs } = timesOf(session);
  const searchText = duration(Math.max(0, aliveMs - waitedMs));
  const waited = waitedMs < 1000 ? '' : `, and ${duration(waitedMs)} for you`;
  const limit = setting ? ` of ${duration(setting.timeLimitSeconds * 1000)}` : '';
  const process = row?.owner ? `, process ${row.owner.pid}` : '';
  const best = candidateOf(state, state.bestId)?.note;
  const why = run.end?.error?.message ?? state.over ?? run.end?.solution?.detail ?? '';
  const gain = final ? finalImprovementText(final).replace(/^; /, '') : '';
  const entries: Fact[] = [];
  if (run.header) entries.push(['models', modelsText(allModels(run))]);
  entries.push(['time', `${searchText}${limit}${waited}${process}`]);
  if (json.answer_at !== null) entries.push(['answer', `what models are asked: ${json.answer_at}`]);
  if (status === 'crashed')
    entries.push(['crashed', `its process is gone; \`solve --session-id ${name}\` goes on with it`]);
  if (status === 'running' && json.asks)
    entries.push(['waits', `for you to confirm: \`solve --interactive --session-id ${name}\``]);
  if (why !== '' && status !== 'running') entries.push(['because', why]);
  if (setting) {
    const many = json.islands_because ?? count(setting.islands, 'island');
    const kept = trial ? `; of the beginnings, number ${trial.kept.join(' and ')} went on` : '';
    entries.push(['islands', `${many}${kept}`]);
  }
  const most = setting ? ` of ${setting.maxGenerations}` : '';
  const counts = Object.entries(json.candidates).map(([each, times]) => `${grouped(times)} ${each}`);
  entries.push(['generation', `${state.generation}${most}, ${counts.join(', ') || 'no candidates yet'}`]);
  entries.push([
    'best',
    best ? `${best.id}, score ${scoreText(json.best_score)}, by ${best.operator}` : 'none yet',
  ]);
  // Two facts, so that a narrow screen does not cut off the interval.
  if (final) entries.push(['final', `${final.chosen}, ${final.because}`]);
  if (gain !== '') entries.push(['', gain]);
  for (const { island, what } of json.doing.slice(-8))
    entries.push(['now', `${island > 0 ? `island ${island} ` : ''}${what}`]);
  return entries;
}

function scoreText(value: number | null): string {
  if (value === null) return 'none';
  return Number.isInteger(value) ? grouped(value) : plainNumber(value);
}

function triedFacts({ strategies, hints }: SessionStatusJson): readonly Fact[] {
  return [
    ...strategies.map(({ name, idea }, index): Fact => [index === 0 ? 'strategies' : '', `${name}: ${idea}`]),
    ...hints.slice(-3).map((row): Fact => [`hint ${row.number}`, `${row.text} (${hintText(row)})`]),
  ];
}

/** `5 made with it, 2 for it; 3 better than their parents; the best better by 12`. */
export function hintText(row: ReturnType<typeof hintRows>[number]): string {
  if (row.made === 0) return 'nothing made with it yet';
  const gained =
    row.improvements > 0 ? `made the best better by ${plainNumber(row.gain)}` : 'no better best with it yet';
  return `${grouped(row.made)} made with it, ${grouped(row.directed)} for it; ${grouped(row.better_than_parents)} better than their parents; ${gained}`;
}

/** The source of the session's best program; null if there is none. */
export function keptText({ state, facts }: SeenSession): string | null {
  if (state.bestId === null) return null;
  const score = scoreNow(state, facts, state.bestId);
  return `${files.best} is ${state.bestId}${score === null ? '' : `, score ${plainNumber(score)}`}`;
}

function costFacts({ state }: SeenSession, { machine }: SessionStatusJson): readonly Fact[] {
  const { totals } = state.run;
  const { tokens } = totals;
  const isKnown = totals.callsOfUnknownTokens === 0;
  const parts = isKnown ? ` (${grouped(tokens.input)} in, ${grouped(tokens.output)} out)` : '';
  const cost = costText(totals, allModels(state.run));
  const { cpu_seconds: cpuSeconds, memory_bytes: memoryBytes, processes } = machine;
  const used = [
    cpuSeconds === null ? null : `CPU ${duration(cpuSeconds * 1000)}`,
    memoryBytes === null ? null : `memory ${megabytes(memoryBytes)}`,
    processes === null ? null : `${grouped(processes)} ${processes === 1 ? 'process' : 'processes'}`,
    `disk ${megabytes(machine.disk_bytes)}`,
  ];
  return [
    ['tokens', `${tokensText(totals)}${parts} in ${count(totals.modelCalls, 'call')}; cost ${cost}`],
    ['machine', used.filter((each) => each !== null).join(', ')],
  ];
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

function operatorLines(output: Output, { operators }: SessionStatusJson): readonly string[] {
  if (operators.length === 0) return [];
  const cells = operators.map(({ operator, made, evaluated, betterThanParents, improvements, tokens }) => [
    operator,
    ...[made, evaluated, betterThanParents, improvements].map(grouped),
    tokens === null ? 'unknown' : grouped(tokens),
  ]);
  const head = ['operator', 'made', 'run on all', 'better than parents', 'new best', 'tokens'];
  return ['', table(output, head, cells).trimEnd()];
}
