/**
 * What a turn of one long conversation costs beside its model and its tool, late against early, in time of the processor:
 * between a reply and the next question lie a tool call, a look into the mailbox, and four more events. The early turns are
 * those of a second conversation, when the code is as warm as it was for the late ones. What cannot be left out late is added
 * to them: a copy of the list by the agent and one by the run. test/run/long-conversation.test.ts counts the same.
 */
import { toolLoop } from '../src/agents/tool-loop/tool-loop.ts';
import type { Model } from '../src/core/model.ts';
import { type Bench, median, processorTimer } from './measure.ts';
import { talkingModel, talkTools } from './tool-talk.ts';
import { openWorld, runToEnd } from './world.ts';

const early = [50, 150] as const;
const late = [4900, 5000] as const;

export const turn: Bench = {
  name: 'turn',
  async run() {
    const measured = median((await timesBetweenCalls(late[1])).slice(...late));
    const earlyUs = median((await timesBetweenCalls(early[1])).slice(...early));
    const floor = earlyUs + 2 * copyUs(2 * late[1]);
    const what = `turns ${late.join(' to ')} of a conversation`;
    const against = `turns ${early.join(' to ')}, and two copies of the list`;
    const aim = { of: 'ratio', atMost: 2 } as const;
    return [{ what, unit: 'µs', against, measured, floor, ratio: measured / floor, aim }];
  },
};

/** Microseconds. */
async function timesBetweenCalls(turns: number): Promise<number[]> {
  const between: number[] = [];
  let taken = processorTimer();
  const model: Model = {
    ...talkingModel,
    generate: async (request, call) => {
      between.push(taken() * 1000);
      const reply = await talkingModel.generate(request, call);
      taken = processorTimer();
      return reply;
    },
  };
  await using world = openWorld({ agent: toolLoop, model, tools: talkTools(turns) });
  await runToEnd(world, 'run');
  return between;
}

function copyUs(length: number): number {
  let list: readonly object[] = Array.from({ length }, () => ({}));
  const taken = processorTimer();
  for (let copies = 0; copies < 1000; copies += 1) list = [...list];
  return taken();
}
