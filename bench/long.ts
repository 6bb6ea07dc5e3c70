/**
 * Replay of long journals, each in a process of its own that has done nothing before: 50,000 short effects, 500
 * conversations of 100 turns, one conversation of 5,000. From the call of `replayRun` to its end, in time of the processor,
 * collections of garbage beside it included, which is more than the wall shows on a quiet machine; against reading the same
 * rows and blobs raw in the same process just before; and the most memory that the process had.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { toolLoop } from '../src/agents/tool-loop/tool-loop.ts';
import type { Agent } from '../src/core/agent.ts';
import { defineAgent } from '../src/core/define.ts';
import type { JsonObject } from '../src/core/json.ts';
import type { Message, Model } from '../src/core/model.ts';
import type { Tool } from '../src/core/problem.ts';
import { scriptedModel } from '../src/models/scripted.ts';
import { replayRun } from '../src/run/replay.ts';
import { callingAgent, instantModel } from './calling.ts';
import type { Bench, Row } from './measure.ts';
import { median, processorTimer } from './measure.ts';
import { readRaw } from './raw.ts';
import { chanceFrom, proseOf } from './speech.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { talkingModel, talkTools } from './tool-talk.ts';
import { openWorld, runToEnd } from './world.ts';

const rounds = 3;

export const longKinds = ['effects', 'conversations', 'conversation', 'tool-loop', 'giants'] as const;
export type LongKind = (typeof longKinds)[number];
type LongParts = { agent: Agent; settings: JsonObject; model: Model; tools?: readonly Tool[] };

const conversing = defineAgent({
  name: 'conversing',
  settings: z.object({ conversations: z.int(), turns: z.int() }),
  needs: [],
  roles: ['solver'],
  prompts: {},
  async solve(_problem, run, { conversations, turns }) {
    for (let number = 0; number < conversations; number += 1) {
      const messages: Message[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const content = proseOf(150, chanceFrom(number * turns + turn));
        messages.push({ role: 'user', content });
        const reply = await run.generate('solver', { messages });
        if (reply.ok) messages.push(reply.message);
      }
    }
    return { end: 'stopped' };
  },
});

const replying = scriptedModel({ id: 'bench', script: ({ index }) => proseOf(300, chanceFrom(index * 7)) });

/** Replies as long as any may be. */
const gigantic = scriptedModel({
  id: 'bench',
  script: ({ index }) =>
    `${index} ${proseOf(8_000, chanceFrom(index))}`.padEnd(8_000_000, proseOf(80_000, chanceFrom(index + 1))),
});

export function longParts(kind: LongKind): LongParts {
  switch (kind) {
    case 'effects':
      return { agent: callingAgent, settings: { steps: 50_000 }, model: instantModel };
    case 'conversations':
      return { agent: conversing, settings: { conversations: 500, turns: 100 }, model: replying };
    case 'conversation':
      return { agent: conversing, settings: { conversations: 1, turns: 5_000 }, model: replying };
    case 'giants':
      return { agent: callingAgent, settings: { steps: 60 }, model: gigantic };
    case 'tool-loop':
      return { agent: toolLoop, settings: {}, model: talkingModel, tools: talkTools(5_000) };
  }
}

const cases: readonly { kind: LongKind; what: string; atMostMs: number; atMostMb: number | null }[] = [
  { kind: 'effects', what: '50,000 short effects', atMostMs: 5_000, atMostMb: 350 },
  { kind: 'conversations', what: '500 conversations of 100 turns', atMostMs: 5_000, atMostMb: 350 },
  { kind: 'conversation', what: 'a conversation of 5,000 turns', atMostMs: 2_000, atMostMb: null },
  { kind: 'tool-loop', what: '5,000 turns of the tool loop', atMostMs: 2_000, atMostMb: null },
];

export const long: Bench = {
  name: 'long',
  async run() {
    const rows: Row[] = [];
    for (const each of cases) rows.push(...(await measure(each)));
    return rows;
  },
};

type Replayed = {
  readonly tookMs: number;
  readonly rawMs: number;
  readonly peakMb: number;
};

async function measure({ kind, what, atMostMs, atMostMb }: (typeof cases)[number]): Promise<Row[]> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'long.db');
  await writeLong(kind, file);
  const taken = Array.from({ length: rounds }, () => replayCold(kind, file));
  const middle = (of: (each: Replayed) => number): number => median(taken.map(of));
  return [
    {
      what: `replay of ${what}`,
      unit: 'ms of the processor',
      against: 'the same rows read raw, unpacked and parsed',
      measured: middle(({ tookMs }) => tookMs),
      floor: middle(({ rawMs }) => rawMs),
      ratio: middle(({ tookMs, rawMs }) => tookMs / rawMs),
      aim: { of: 'measured', atMost: atMostMs },
    },
    {
      what: `  most memory`,
      unit: 'MB',
      against: '',
      measured: middle(({ peakMb }) => peakMb),
      floor: null,
      ratio: null,
      aim: atMostMb === null ? null : { of: 'measured', atMost: atMostMb },
    },
  ];
}

export async function writeLong(kind: LongKind, file: string): Promise<void> {
  const { settings, ...parts } = longParts(kind);
  await using world = openWorld(parts);
  await runToEnd(world, 'run', settings);
  world.checkpoint();
  copyFileSync(world.file, file);
}

function replayCold(kind: LongKind, file: string): Replayed {
  const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, kind, file], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`The process that replays has failed: ${stderr}`);
  return JSON.parse(stdout) as Replayed;
}

async function replayOnce(kind: LongKind, file: string): Promise<Replayed> {
  const { settings: _, ...parts } = longParts(kind);
  const taken = processorTimer();
  await using world = openWorld({ ...parts, copyOf: file });
  const replay = await replayRun(world, 'run');
  const tookMs = taken();
  if (!replay.complete || !replay.isSame) throw new Error('The replay came to another end.');
  const peakMb = process.resourceUsage().maxRSS / 1024;
  return { tookMs, peakMb, rawMs: readRaw(file) };
}

if (import.meta.main) {
  const [kind, file = ''] = process.argv.slice(2);
  if (process.env.WRITE) await writeLong(kind as LongKind, file);
  else process.stdout.write(JSON.stringify(await replayOnce(kind as LongKind, file)));
}
