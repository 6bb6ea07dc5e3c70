/** `\begin{pmatrix} … \end{pmatrix}` and its relatives; with bars it is the determinant. */
import { BoundReached, limits } from '../limits.ts';
import { call, type Tree } from '../tree.ts';
import { type Cursor, isCommand, isMark, nested, peek, requireMark, take, Unreadable } from './cursor.ts';

const names = /^(?:[pbvBV]?(?:small)?matrix\*?|array)$/;

export function parseMatrix(cursor: Cursor): Tree {
  return nested(cursor, (inner) => {
    const name = environmentName(inner);
    if (!names.test(name)) throw new Unreadable(`${name} is no matrix`);
    if (name === 'array') skipColumns(inner);
    const rows = rowsOf(inner);
    if (environmentName(inner) !== name) throw new Unreadable('a matrix is not closed');
    const matrix: Tree = { kind: 'matrix', rows };
    if (name === 'vmatrix') return call('det', matrix);
    return name === 'Bmatrix' && rows.length === 1 ? { kind: 'set', items: rows.flat() } : matrix;
  });
}

function environmentName(cursor: Cursor): string {
  requireMark(cursor, '{');
  let name = '';
  while (!isMark(peek(cursor), '}')) name += take(cursor).text;
  requireMark(cursor, '}');
  return name;
}

function skipColumns(cursor: Cursor): void {
  requireMark(cursor, '{');
  while (!isMark(peek(cursor), '}')) take(cursor);
  requireMark(cursor, '}');
}

function rowsOf(cursor: Cursor): Tree[][] {
  const rows: Tree[][] = [];
  let count = 0;
  while (isCommand(peek(cursor), 'hline')) take(cursor);
  while (!isCommand(peek(cursor), 'end')) {
    const row = [cursor.statement(cursor)];
    while (isMark(peek(cursor), '&')) {
      take(cursor);
      row.push(cursor.statement(cursor));
    }
    rows.push(row);
    count += row.length;
    if (count > limits.items) throw new BoundReached('items');
    while (isMark(peek(cursor), '\ue003') || isCommand(peek(cursor), 'hline')) take(cursor);
  }
  take(cursor);
  if (rows.length === 0 || rows.some((row) => row.length !== rows[0]?.length)) {
    throw new Unreadable('rows of several lengths');
  }
  return rows;
}
