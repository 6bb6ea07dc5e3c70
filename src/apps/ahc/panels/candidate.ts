/** One candidate: its program, what it changed of its parent, what both got on each case, what it wrote to standard error. */
import { isBetter } from '../../../core/program.ts';
import { seededChance } from '../../../core/seeded-chance.ts';
import { bootstrapMean, mean } from '../../../core/statistics/bootstrap.ts';
import type { Block, Code, Panel } from '../../../notes/panel.ts';
import { truncate } from '../../../text/format.ts';
import { type Search, scoreText, type Tried, tableOf } from './search.ts';
import { fates } from './tables.ts';

/** Cases whose standard error is shown. */
const mostSaid = 5;

export function openedPanel(search: Search, { note, band, score, id }: Tried): Panel {
  const parent = search.byId.get(note.parents[0] ?? '');
  const method = parent ? `${note.operator} of ${parent.id}` : note.operator;
  const compared = parent && comparedWith(search, note, parent.note);
  const status = score === null ? fates[note.status] : `score ${scoreText(score)}`;
  const before = parent && parent.note.source !== '' && { title: parent.id, text: parent.note.source };
  const program: Code = { kind: 'code', title: 'Program', text: note.source, ...(before ? { before } : {}) };
  const messages = (note.evaluation?.cases ?? [])
    .filter((each) => each.said !== undefined)
    .slice(0, mostSaid)
    .map((each): Code => {
      return { kind: 'code', title: `Standard error on case ${each.name}`, text: each.said ?? '' };
    });
  const blocks: readonly (Block | null | undefined)[] = [
    note.detail === '' ? null : { kind: 'text', text: truncate(note.detail, 4_000), tone: 'soft' },
    compared?.table,
    note.source === '' ? null : program,
    ...messages,
  ];
  const outcome = `${status.charAt(0).toUpperCase()}${status.slice(1)}, ${band}.`;
  const words = [
    truncate(`${method}${note.summary === '' ? '' : `: ${note.summary}`}`, 280),
    compared?.words ?? '',
  ];
  return {
    title: id,
    sentence: `${outcome} ${words.filter((each) => each !== '').join('; ')}`,
    blocks: blocks.filter((each) => each !== null && each !== undefined),
  };
}

/** Case by case, where most is to be seen first. */
function comparedWith({ counting }: Search, now: Tried['note'], then: Tried['note']) {
  const before = new Map(then.evaluation?.cases.map((each) => [each.name, each.score]));
  const pair = (now.evaluation?.cases ?? []).flatMap(({ name, score }) => {
    const old = before.get(name) ?? null;
    return score === null || old === null ? [] : [{ name, score, old, change: score - old }];
  });
  const improved = pair.filter(({ score, old }) => isBetter(score, old, counting.direction));
  const equal = pair.filter(({ change }) => change === 0).length;
  const changes = pair.map(({ change }) => change);
  const interval = bootstrapMean(changes, { random: seededChance(now.id).next });
  if (!interval) return null;
  const average = `${signed(mean(changes) ?? 0)} a case, 95 % from ${signed(interval.low)} to ${signed(interval.high)}`;
  const counts = `better on ${improved.length}, worse on ${pair.length - improved.length - equal}, equal on ${equal}`;
  const rows = pair
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .map((each) => ({
      cells: [each.name, scoreText(each.score), scoreText(each.old), signed(each.change)],
      ...(each.change === 0 ? {} : { tone: improved.includes(each) ? ('good' as const) : ('bad' as const) }),
    }));
  const columns = [['case'], ['this', then.id, 'difference']] as const;
  return {
    words: `against ${then.id} ${average}: ${counts}.`,
    table: tableOf('By case, against its parent', columns, rows),
  };
}

/** `+12.5`, with a true minus. */
function signed(value: number): string {
  const sign = value > 0 ? '+' : value < 0 ? '−' : '';
  return `${sign}${Math.abs(value).toLocaleString('en-US', { maximumSignificantDigits: Math.abs(value) < 1000 ? 3 : 9 })}`;
}
