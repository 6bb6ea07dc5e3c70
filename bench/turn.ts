/**
 * What a turn of one long conversation costs beside its model and its tool, late against early: between a reply and the
 * next question lie a tool call, a look into the mailbox, and four more events. A ratio far above 1 would tell of
 * something that goes through the whole conversation at every turn.
 */
import { toolLoop } from '../src/agents/tool-loop/tool-loop.ts';
import type { Model } from '../src/core/model.ts';
import { type Bench, median } from './measure.ts';
import { talkingModel, talkTools } from './tool-talk.ts';
import { openWorld, runToEnd } from './world.ts';

const turns = 1000;
const early = [50, 150] as const;
const late = [900, 1000] as const;

export const turn: Bench = {
  name: 'turn',
  async run() {
    const between = await timesBetweenCalls();
    const [measured, floor] = [late, early].map(([from, to]) => median(between.slice(from, to)) * 1000);
    if (measured === undefined || floor === undefined) throw new Error('Nothing was measured.');
    const against = `turns ${early.join(' to ')}`;
    const what = `turns ${late.join(' to ')} of a conversation`;
    return [{ what, unit: 'µs', against, measured, floor, ratio: measured / floor, aim: null }];
  },
};

async function timesBetweenCalls(): Promise<number[]> {
  const between: number[] = [];
  let answeredAt = performance.now();
  const model: Model = {
    ...talkingModel,
    generate: async (request, call) => {
      between.push(performance.now() - answeredAt);
      const reply = await talkingModel.generate(request, call);
      answeredAt = performance.now();
      return reply;
    },
  };
  await using world = openWorld({ agent: toolLoop, model, tools: talkTools(turns) });
  await runToEnd(world, 'run');
  return between;
}
