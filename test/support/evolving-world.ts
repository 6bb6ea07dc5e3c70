/**
 * An evolution, the same in every process that works on it, down to the order in which
 * calls that are open at once are answered.
 */
import type { Event } from '../../src/core/event.ts';
import type { ModelCall, ModelRequest } from '../../src/core/model.ts';
import { randomFromKey } from '../../src/run/hash.ts';
import {
  evolvingAgent,
  evolvingFamily,
  evolvingReply,
  evolvingRun,
  evolvingTask,
  evolvingTemplate,
  fence,
} from './evolving.ts';
import { Lockstep, lockstepModel } from './lockstep.ts';
import { storeWithMoments } from './moments.ts';
import { outsideFile } from './toy.ts';
import { normalise, toyWorld } from './world.ts';

export const killedRun = evolvingRun({
  maxGenerations: 12,
  populationSize: 2,
  islands: 3,
  linesPerIsland: 2,
  plateauGenerations: 0,
  operators: { change: 0.7, rewrite: 0.2, crossover: 0.1, tune: 0 },
  // Whatever the search remembers, a life after a kill remembers it as well.
  proposers: 2,
});

/** `calls.log` has a line for every call that reached the model, `runs.log` one for every evaluation that began. */
export function evolvingWorld(
  folder: string,
  onMoment: (name: string) => void = () => undefined,
  slowMs = 0,
) {
  const [calls, runs] = [outsideFile(`${folder}/calls.log`), outsideFile(`${folder}/runs.log`)];
  const model = lockstepModel({
    lockstep: new Lockstep(slowMs),
    reply: (request, call) => engineReply(request, call) ?? 'nothing',
    onPerform: (moment, key) => {
      if (moment !== 'during') return;
      calls.log(key);
      onMoment('during-call');
    },
  });
  const { evaluate } = evolvingTask();
  const family = evolvingFamily({
    template: evolvingTemplate,
    evaluate: async (source, cases, context) => {
      runs.log(`${cases.join(',')} ${JSON.stringify(source)}`);
      onMoment('during-evaluation');
      return evaluate(source, cases, context);
    },
  });
  return toyWorld({
    folder,
    model,
    agents: [evolvingAgent],
    families: [family],
    wrapStore: (store) => storeWithMoments(store, onMoment),
  });
}

/** What `best-of-n` asks for is answered as well. */
export function engineReply(request: ModelRequest, call: ModelCall): string | null {
  const asked = JSON.stringify(request.messages.at(-1)?.content ?? '');
  if (!asked.includes('Write the best program for this')) return evolvingReply(request, call);
  const k = Math.floor(randomFromKey(`${call.branch} ${call.index}`) * 40);
  return `IDEA: drawn ${k}\n\n${fence(evolvingTemplate.replace('10', String(k)))}`;
}

/** Without how long it took, too, and what that leaves for the grading. */
export function alike(events: readonly Event[]): string[] {
  return normalise(events).map((line) => {
    const timeless = line.replace(/"(gradeWithinMs|withinMs)":\d+/g, '"$1":0');
    return / clock /.test(line) ? timeless.replace(/"result":\d+/, '"result":0') : timeless;
  });
}
