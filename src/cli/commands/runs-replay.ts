/** `polya runs replay`: the agent over its journal, with permission to do nothing: does it come to the same end? */
import { exitCodes } from '../../core/errors.ts';
import { type Header, modelsBehind } from '../../core/event.ts';
import { answerText } from '../../notes/ensemble.ts';
import type { Journals } from '../../open/options.ts';
import { runJson } from '../../open/run-json.ts';
import type { Ending } from '../../run/execute.ts';
import { type Replay, replayRun } from '../../run/replay.ts';
import { count, oneLine } from '../../text/format.ts';
import { endReason, modelsText, outcomeText } from '../../text/labels.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import { type CommandFile, print } from '../contract.ts';
import { readRun } from '../drive.ts';
import { runArgument, withRun } from '../journals.ts';

export const runsReplay: CommandFile = {
  define: (command) => void bringOptions(runArgument(command)).option('--json', 'print the result as JSON'),
  run: (shell, command) => {
    const options = command.opts<BringOptions & { json?: boolean }>();
    const work = async (polya: Journals, { id }: { id: string }): Promise<number> => {
      const onNotice = (notice: string) => shell.err.write(`${notice}\n`);
      const replay = await replayRun(polya.world, id, { onNotice });
      const result = await readRun(shell, polya, id);
      const events = result.row.lastSeq;
      const { header } = result.view;
      if (options.json) {
        print(shell.out, { id, events, models: runJson(result).models, ...replayJson(replay) });
      } else {
        const models = header ? ` It was made with ${oneLine(modelsText(modelsBehind(header)))}.` : '';
        const from = `replayed from ${count(events, 'event')} of its journal`;
        print(
          shell.out,
          `Run ${id}, ${from}: ${oneLine(told(replay, header, polya.world.codeVersion))}\nNothing was called.${models}\n`,
        );
      }
      return !replay.complete || replay.isSame ? exitCodes.ok : exitCodes.journal;
    };
    return withRun(shell, command.processedArgs[0], work, broughtIn(shell, options));
  },
};

function replayJson(replay: Replay) {
  if (!replay.complete) return { complete: false, same: null, outcome: null, journaled: null, at: replay.at };
  const { ending, journaled, isSame } = replay;
  const outcomes = { outcome: ending.outcome, journaled: journaled?.outcome ?? null };
  return { complete: true, same: isSame, ...outcomes, at: null };
}

function told(replay: Replay, header: Header | null, codeVersion: string): string {
  if (!replay.complete) return `all of it fits; the run has no end yet. ${replay.at}`;
  const { ending, journaled, isSame } = replay;
  if (isSame) return `the same end: ${outcomeText(ending)}.`;
  const [now, before] = [endText(ending), journaled ? endText(journaled) : 'none'];
  const difference = now === before ? ' They differ in details of the answer or its grade.' : '';
  return `ANOTHER END: ${now}; the journal${versionText(header, codeVersion)} holds ${before}.${difference}`;
}

function endText(end: Ending): string {
  const answer = end.solution?.answer;
  return [outcomeText(end), answer && `answer ${answerText(answer)}`, endReason(end)]
    .filter(Boolean)
    .join(', ');
}

/** Names both versions where the journal was written by another one. */
function versionText(header: Header | null, codeVersion: string): string {
  if (!header || header.codeVersion === codeVersion) return '';
  return ` was written by Polya ${header.codeVersion}, this is Polya ${codeVersion}; it`;
}
