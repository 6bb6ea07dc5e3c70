/**
 * What was lost with its cell is run once more, in another one: inside nothing outside is changed, so a second run is as
 * good as the first. That a cell was ended from outside happens, as by a machine that was out of memory for a moment; twice
 * in a row it is told.
 */
import { CellLost } from './backend.ts';

/** `run` opens a cell of its own each time. */
export async function onceMore<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CellLost)) throw error;
  }
  try {
    return await run();
  } catch (error) {
    throw error instanceof CellLost ? error.again() : error;
  }
}
