/**
 * A practice site on a real port, real files, and the family over them; `open` poses a day and plays its tools with
 * the memory that a run would keep. The run itself is not here: what it adds is tested with it.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Io } from '../../src/core/io.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { EffectContext, PreviousToolCall, Problem, ToolResult } from '../../src/core/problem.ts';
import type { Sandbox } from '../../src/core/sandbox.ts';
import { aocFamily } from '../../src/families/aoc/family.ts';
import type { AocSettings } from '../../src/families/aoc/sites.ts';
import { type FakeClock, fakeClock } from '../../src/io/clock.ts';
import { createIo } from '../../src/io/files.ts';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { practiceEvents } from '../../src/practice/puzzles/index.ts';
import { type PracticeSite, startPracticeSite } from '../../src/practice/site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export type Session = {
  readonly problem: Problem;
  readonly past: PreviousToolCall[];
  stage(): string;
  play(name: string, args: JsonObject): Promise<ToolResult>;
  reconcile(name: string, args: JsonObject): Promise<ToolResult | null>;
};

export type Fixture = AsyncDisposable & {
  site: PracticeSite;
  /** Everything of this fixture, cache and site. */
  readonly folder: string;
  readonly clock: FakeClock;
  readonly io: Io;
  /** Every request: `GET /2000/day/1`. */
  readonly asked: string[];
  readonly settings: AocSettings;
  /** Changes what the family is handed as its cookie. */
  session: string;
  open(reference?: JsonObject, runId?: string): Promise<Session>;
  /** The names of the files in the user's cache. */
  keptFiles(): Promise<string[]>;
  /** The right answers to day 1 for `session`, which nobody but the site and this fixture knows. */
  truth(): Promise<readonly [string, string]>;
};

export const dayOne = { site: 'practice', year: 2000, day: 1, lang: 'python', user: 'ada' };

export async function startFixture(options: {
  sandbox: Sandbox;
  longestWaitMs?: number;
  maxWrongAnswers?: number;
}): Promise<Fixture> {
  const folder = temporaryFolder('aoc');
  const clock = fakeClock(Date.UTC(2026, 5, 1));
  const site = await startPracticeSite({ stateFolder: join(folder, 'site'), clock });
  const { io, asked } = listenedTo(
    createIo({
      sandbox: options.sandbox,
      filesFolder: join(folder, 'cache'),
      identity: { tool: 'polya-test', version: '0' },
      clock,
    }),
  );
  const settings: AocSettings = {
    sites: {
      practice: {
        events: practiceEvents.map((event) => ({ ...event, lastDay: 25 })),
        ...(options.maxWrongAnswers === undefined ? {} : { maxWrongAnswers: options.maxWrongAnswers }),
        connect: async () => ({
          baseUrl: fixture.site.url,
          session: fixture.session,
          account: hashText(fixture.session).slice(0, 12),
        }),
      },
    },
    hashText,
    ...(options.longestWaitMs === undefined ? {} : { longestWaitMs: options.longestWaitMs }),
  };
  const fixture: Fixture = {
    site,
    folder,
    clock,
    io,
    asked,
    settings,
    session: site.sessionFor('ada'),
    open: (reference = dayOne, runId = 'test') => openSession(settings, io, reference, runId),
    async keptFiles() {
      return readdir(join(folder, 'cache'), { recursive: true });
    },
    async truth() {
      const headers = { cookie: `session=${fixture.session}` };
      const url = `${fixture.site.url}/2000/day/1/input`;
      const input = await io.http.request({ method: 'GET', url, headers });
      asked.length = 0;
      return ticketStubs.solve(input.body);
    },
    [Symbol.asyncDispose]: () => fixture.site.close(),
  };
  return fixture;
}

export function submit(session: Session, answer: string): Promise<ToolResult> {
  return session.play('SubmitAnswer', { year: 2000, day: 1, answer });
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export async function openSession(
  settings: AocSettings,
  io: Io,
  reference: JsonObject,
  runId = 'test',
): Promise<Session> {
  const family = aocFamily(settings);
  const signal = new AbortController().signal;
  const spec = await family.load(reference, io, signal);
  // Through JSON, as a journal gives it back.
  const problem = family.open(JSON.parse(JSON.stringify(spec)));
  const past: PreviousToolCall[] = [];
  let stage = spec.stages[0] ?? '';
  const context = (): EffectContext => ({ io, runId, stage, past: [...past], signal });
  const toolOf = (name: string) => {
    const tool = problem.tools?.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`No tool ${name}`);
    return tool;
  };
  return {
    problem,
    past,
    stage: () => stage,
    async play(name, args) {
      const tool = toolOf(name);
      const result = await tool.call(tool.parameters.parse(args), context());
      past.push({ tool: name, args, stage, result });
      if (result.advance) stage = result.advance.to ?? '';
      return result;
    },
    async reconcile(name, args) {
      const { repeat } = toolOf(name);
      if (repeat === 'safe') throw new Error(`${name} needs no reconciliation`);
      return repeat.reconcile(args, context());
    },
  };
}

function listenedTo(io: Io): { io: Io; asked: string[] } {
  const asked: string[] = [];
  const http: Io['http'] = {
    request(request) {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return io.http.request(request);
    },
  };
  return { io: { ...io, http }, asked };
}
