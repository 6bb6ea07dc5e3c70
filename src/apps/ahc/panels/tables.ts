/** Who came from whom, what each line of the search brought, and what became of candidates and hints. */
import type { Lineage, Table } from '../../../notes/panel.ts';
import { grouped, truncate } from '../../../text/format.ts';
import { creditByOperator, creditor } from '../session/course.ts';
import { creditColumns, strategyOf } from '../session/report.ts';
import { hintRows, hintText } from '../session/status.ts';
import { byBand, byScore, percent, type Search, scoreText, type Tried, tableOf } from './search.ts';

export const fates: Readonly<Record<Tried['note']['status'], string>> = {
  evaluated: 'ran on all cases',
  cut: 'cut early',
  unjudged: 'not judged',
  failed: 'failed on a case',
  'compile-error': 'does not compile',
  duplicate: 'the same program',
  unusable: 'no usable reply',
  unanswered: 'not answered',
};

export function lineageOf({ tried, best }: Search): Lineage | null {
  const nodes = tried.map(({ id, seq, band, score, note }) => {
    const { status, operator, summary, detail } = note;
    const [parent = null, ...inspirations] = note.parents;
    const label = score === null ? fates[status] : scoreText(score);
    const description = truncate([operator, summary || detail].filter(Boolean).join(': '), 160);
    const tone =
      status === 'cut' || status === 'unjudged' || status === 'duplicate'
        ? ('soft' as const)
        : ('bad' as const);
    return {
      id,
      seq,
      band,
      parent,
      inspirations,
      label,
      about: description,
      isBest: id === best?.id,
      ...(status === 'evaluated' ? {} : { tone }),
    };
  });
  return nodes.length === 0 ? null : { kind: 'lineage', title: 'Lineage', nodes };
}

/** Islands of a search: the share of the budget that each had, and what it made of it. */
export function linesTable(search: Search): Table | null {
  const { state, tried, counting, best } = search;
  const callsOf = (of: readonly Tried[]): number => of.reduce((all, { note }) => all + note.calls, 0);
  const creditFor = creditor(state, counting);
  const rows = byBand(tried).map(([band, of]) => {
    const island = of[0]?.note.island ?? 0;
    const [top] = of.filter(({ score }) => score !== null).toSorted(byScore(search));
    const share = callsOf(of) / Math.max(1, callsOf(tried));
    const credit = creditFor(({ note }) => note.island === island);
    return {
      cells: [
        band,
        strategyOf({ state }, island),
        ...[scoreText(top?.score ?? null), percent(share), ...creditCells(credit)],
      ],
      isMarked: band === best?.band,
      ...(top ? { seq: top.seq } : {}),
    };
  });
  const numbers = ['best', 'of all calls', ...Object.keys(creditColumns)];
  return rows.length < 2 ? null : tableOf('Lines of work', [['island', 'strategy'], numbers], rows);
}

const creditCells = (credit: Parameters<NonNullable<(typeof creditColumns)[string]>>[0]): string[] =>
  Object.values(creditColumns).map((cellOf) => String(cellOf(credit)));

export function operatorsTable({ state, counting }: Search): Table | null {
  const rows = creditByOperator(state, counting).map(({ operator, ...credit }) => ({
    cells: [operator, ...creditCells(credit)],
  }));
  return tableOf('By operator', [['operator'], Object.keys(creditColumns)], rows);
}

export function deathsTable({ tried }: Search): Table | null {
  const died = tried.filter(({ note }) => note.status !== 'evaluated');
  const rows = [...Map.groupBy(died, ({ note }) => note.status)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([status, of]) => {
      const last = of.at(-1);
      const words = `${last?.id}: ${truncate(last?.note.detail ?? '', 160)}`;
      const share = percent(of.length / tried.length);
      return { cells: [fates[status], words, grouped(of.length), share], ...(last ? { seq: last.seq } : {}) };
    });
  const columns = [
    ['cause', 'the last of them'],
    ['candidates', 'of all'],
  ] as const;
  return tableOf('Deaths by cause', columns, rows);
}

export function hintsTable({ state, counting }: Search): Table | null {
  const rows = hintRows({ state, facts: counting }).map((row) => ({
    cells: [String(row.number), row.text, hintText(row)],
  }));
  return tableOf('Hints', [['hint', 'what was told', 'what came of it'], []], rows);
}
