/**
 * Patience with what this same process has to do: time counts only while its event loop goes round. A machine that stands
 * still, is starved or asleep, or a disk that keeps a write for seconds, is no time in which anybody here could have moved:
 * all timers are over at once then, and the first of them would be taken for the end of a long wait. Knows no branches.
 */

/** However long one turn of the loop takes, it counts as no more than this. */
const turnMs = 10;

/** Calls `then` after so long a time; what it returns calls that off. */
export function afterAwake(ms: number, then: () => void): () => void {
  let turnsLeft = Math.ceil(ms / turnMs);
  let timer: NodeJS.Timeout;
  const turn = (): void => {
    turnsLeft -= 1;
    if (turnsLeft > 0) timer = setTimeout(turn, turnMs);
    else then();
  };
  timer = setTimeout(turn, Math.min(ms, turnMs));
  return () => clearTimeout(timer);
}
