/**
 * `experiments.log` of a workspace: for people, a line for each thing that was tried, in the order in which it ended. It
 * is read by nobody: what is counted and compared stands in the history and in `results.csv`. Pure.
 */
import { isoTime } from '../session/iso-time.ts';
import type { EvaluationRecord } from './history.ts';

export function testLine(version: string, evaluation: EvaluationRecord): string {
  const { atMs, file, compiled, asked, cases } = evaluation;
  const begin = `${isoTime(atMs)} test ${version} ${oneLine(file)}:`;
  if (!compiled) return `${begin} CE`;
  const verdicts = Map.groupBy(cases, ({ verdict }) => verdict);
  const counted = [...verdicts].map(([verdict, { length }]) => `${length} ${verdict}`);
  const total = cases.reduce((sum, { score }) => sum + (score ?? 0), 0);
  const broken = cases.length < asked ? ` of ${asked}` : '';
  return `${begin} ${[`${cases.length}${broken} cases`, ...counted, `total ${total}`].join(', ')}`;
}

/** What is to be added for a session, by its line of `results.csv`; null where the log says so already. */
export function sessionNews(log: string, row: readonly string[], at: 'beginning' | 'end'): string | null {
  const news = sessionWords(row);
  const said = log.split('\n').filter((line) => line.includes(` session ${row[0] ?? ''} `));
  const isKnown = at === 'beginning' ? said.length > 0 : said.at(-1)?.endsWith(` ${news}`);
  return isKnown ? null : news;
}

function sessionWords(row: readonly string[]): string {
  const [name = '', , , score = '', generation = '', parameters = ''] = row;
  const [, status = 'unknown'] = /"status":"(\w+)"/.exec(parameters) ?? [];
  return `session ${name} ${status}: ${score === '' ? 'no score' : `best ${score}`}, generation ${generation}`;
}

/** A name may hold anything that a file system takes. */
function oneLine(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '?');
}
