/**
 * What pacing costs, and whether it is fair: a turn at a model that takes any number of calls; ten runs with 500 calls in
 * flight at once, with a pacer and without, and what they keep; and when the one call of a run is served that comes
 * behind a run with 499.
 */

import { z } from 'zod';
import { defineAgent } from '../src/core/define.ts';
import type { Model } from '../src/core/model.ts';
import { systemClock } from '../src/io/clock.ts';
import { Pacer } from '../src/run/pacing/pacer.ts';
import { instantModel, questionOf } from './calling.ts';
import { type Bench, contest, type Row, timed, timedEach } from './measure.ts';
import { openWorld, runToEnd } from './world.ts';

const runs = 10;
const callsOfARun = 50;
const turns = 10_000;

export const pace: Bench = {
  name: 'pace',
  run: async () => [await oneTurn(), ...(await manyCalls()), await loneRun()],
};

const signal = new AbortController().signal;
const asked = { model: 'm/m', tokens: 100, signal, onWait: () => undefined };
const answered = { kind: 'ok', tokens: 100 } as const;
const nothing = { against: '', floor: null, ratio: null, aim: null };

async function oneTurn(): Promise<Row> {
  const pacer = new Pacer({ clock: systemClock });
  const take = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1)
      (await pacer.turn({ ...asked, run: `${turn % runs}` })).end(answered);
  };
  const wait = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve(turn);
  };
  const result = await contest({
    rounds: 5,
    ours: () => timedEach(turns, take),
    floor: () => timedEach(turns, wait),
  });
  return { what: 'a turn, given at once', unit: 'µs', against: 'a settled promise', aim: null, ...result };
}

const settings = z.object({ calls: z.int() });

/** Asks all that it has to ask at once, each in a branch of its own. */
const branching = defineAgent({
  name: 'branching',
  settings,
  needs: [],
  roles: ['solver'],
  prompts: {},
  async solve(_problem, run, { calls }) {
    const ask = (call: number) =>
      run.branch(`${call}`, (there) => there.generate('solver', questionOf(call)));
    await Promise.all(Array.from({ length: calls }, (_, call) => ask(call)));
    return { end: 'stopped' };
  },
});

/** It answers when all of them have asked, so that they are in flight together. */
function patientModel(waitFor: number): Model {
  let here = 0;
  let all = Promise.withResolvers<void>();
  return {
    ...instantModel,
    kind: 'live',
    async generate(request, call) {
      here += 1;
      if (here === waitFor) {
        all.resolve();
        here = 0;
        all = Promise.withResolvers<void>();
      } else await all.promise;
      return instantModel.generate(request, call);
    },
  };
}

async function manyCalls(): Promise<readonly Row[]> {
  let resident = 0;
  let round = 0;
  const together = async (pacer?: Pacer): Promise<number> => {
    await using world = openWorld({ agent: branching, model: patientModel(runs * callsOfARun) });
    const paced = pacer ? { ...world, pacer } : world;
    round += 1;
    const before = process.memoryUsage().rss;
    const took = await timed(() =>
      Promise.all(
        Array.from({ length: runs }, (_, run) => runToEnd(paced, `${round}-${run}`, { calls: callsOfARun })),
      ),
    );
    if (round > 2) resident = Math.max(resident, process.memoryUsage().rss - before);
    return took;
  };
  const result = await contest({
    rounds: 5,
    ours: () => together(new Pacer({ clock: systemClock })),
    floor: () => together(),
  });
  return [
    {
      what: `${runs} runs, ${runs * callsOfARun} calls in flight`,
      unit: 'ms',
      against: 'the same without a pacer',
      aim: { of: 'ratio', atMost: 1.5 },
      ...result,
    },
    {
      ...nothing,
      what: '… resident set for each call, at most',
      unit: 'KB',
      measured: resident / (runs * callsOfARun) / 1000,
    },
  ];
}

/** Ten calls at once are made; the run that comes last has one to make. */
async function loneRun(): Promise<Row> {
  const lines = [{ name: 'm/*', limits: { callsAtOnce: 10 }, fits: () => true }];
  const pacer = new Pacer({ clock: systemClock, lines });
  const served: string[] = [];
  const ask = async (run: string): Promise<void> => {
    const turn = await pacer.turn({ ...asked, run });
    served.push(run);
    await systemClock.sleep(1);
    turn.end(answered);
  };
  const many = Array.from({ length: 499 }, () => ask('many'));
  await Promise.all([...many, ask('lone')]);
  // Those that were in flight when it came are not in its way.
  const measured = served.indexOf('lone') - 10;
  return {
    ...nothing,
    what: 'calls served before the one of a run that comes last of 500',
    unit: '',
    measured,
    aim: { of: 'measured', atMost: 1 },
  };
}
