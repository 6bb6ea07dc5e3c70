/** Python: the system's own interpreter, which every user may run. */
import { installHint } from '../needs.ts';
import { anywhere, firstThatAnswers, type Language } from './language.ts';

export const python: Language = {
  id: 'python',
  title: 'Python',
  sourceFile: 'main.py',
  installHint: installHint('python3'),
  async find(host) {
    const found = await firstThatAnswers(host, anywhere('python3'), pythonVersion);
    if (found === null) return [];
    const command = [found.path, python.sourceFile];
    return [{ name: 'python3', version: found.version, level: '', compile: null, run: () => ({ command }) }];
  },
};

export function pythonVersion(printed: string): string | null {
  return /^Python \d[\w.+]*/.exec(printed)?.[0] ?? null;
}
