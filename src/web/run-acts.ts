/** What can be done with a run, as the command that does it. */
import type { RunItem } from '../notes/page-items.ts';
import { postAction } from './api.ts';
import { typed } from './controls.tsx';

export function canResume({ state, outcome }: RunItem): boolean {
  return state !== 'running' && outcome !== 'solved';
}

/** What is begun by a command, or by it alone. */
export function commandOf(what: 'stop' | 'replay' | 'export', id: string) {
  if (what === 'stop') {
    return {
      title: 'Stop this run',
      about: 'It ends as soon as it can. What it has is kept, and it can be resumed.',
      command: typed(`polya runs stop ${id}`),
      act: { verb: 'Stop', onAct: () => postAction(id, 'stop') },
    };
  }
  return what === 'replay'
    ? {
        title: 'Replay it, free',
        about:
          'The agent is run again over the replies of the journal. No model is asked, and nothing is changed.',
        command: typed(`polya runs replay ${id}`),
      }
    : {
        title: 'Give it away',
        about:
          'One file that opens anywhere, without a server. The puzzle, its input and the gold answer are left out.',
        command: typed(`polya view --export ${id}.html ${id}`),
      };
}
