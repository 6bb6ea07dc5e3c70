/** Reads what Python says of a source that it cannot compile: the place, the line, a caret, and what is wrong. Pure. */
import { cutLine, type Message } from './digest.ts';

const place = /^\s*File "([^"]*)", line (\d+)/;
const complaint = /^(?:\w+\.)*\w*(?:Error|Exception)(?:: |$)/;

/** The steps of our own script, which come before, are left out. */
export function readPythonMessages(text: string): readonly Message[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const end = lines.findLastIndex((line) => complaint.test(line));
  if (end < 0) return [];
  const start = lines.findLastIndex((line, index) => index < end && place.test(line));
  const [, path = '', line = ''] = place.exec(lines[start] ?? '') ?? [];
  const isOurs = path === '' || path.startsWith('<');
  const where = isOurs ? '' : `${path.replace(/^.*\//, '')}:${line}: `;
  const source = isOurs ? [] : lines.slice(start + 1, end);
  return [{ severity: 'error', lines: [`${where}${lines[end] ?? ''}`, ...source].map(cutLine) }];
}
