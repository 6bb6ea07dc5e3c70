/** Python: the system's own interpreter, and the usual libraries that can be imported inside a sandbox. */
import { digestMessages } from '../messages/digest.ts';
import { readPythonMessages } from '../messages/readers.ts';
import { installHint } from '../needs.ts';
import { anywhere, firstThatAnswers, type Host, type Language } from './language.ts';

/** By the name for `import`, in the order in which they are shown. */
const libraries: Readonly<Record<string, string>> = {
  numpy: 'NumPy',
  scipy: 'SciPy',
  sympy: 'SymPy',
  networkx: 'NetworkX',
  sortedcontainers: 'sortedcontainers',
  more_itertools: 'more-itertools',
  gmpy2: 'gmpy2',
  z3: 'z3',
};
/** Changes when a Debian package puts something there. */
const packageFolder = '/usr/lib/python3/dist-packages';
/** Each by itself: one that is broken must not hide the others. */
const asking = `
import importlib
for name in ${JSON.stringify(Object.keys(libraries))}:
    try:
        module = importlib.import_module(name)
        tell = getattr(module, 'get_version_string', None) or getattr(module, 'version', None)
        version = getattr(module, '__version__', None) or tell()
        print(name, version)
    except Exception:
        pass
`;
const checking = `
import sys
with open(sys.argv[1], 'rb') as file:
    source = file.read()
compile(source, sys.argv[1], 'exec', dont_inherit=True)
`;

export const python: Language = {
  id: 'python',
  title: 'Python',
  sourceFile: 'main.py',
  installHint: installHint('python3'),
  async find(host) {
    const found = await firstThatAnswers(host, anywhere('python3'), pythonVersion);
    if (found === null) return [];
    const { path, version } = found;
    return [
      {
        name: 'python3',
        version,
        level: '',
        notes: [await librariesNote(host, path)],
        identity: version,
        compile: null,
        check: () => ({ command: [path, '-c', checking, python.sourceFile] }),
        run: (_limits, output) => ({
          command: [path, ...(output === 'none' ? ['-u'] : []), python.sourceFile],
        }),
        digest: (printed) => digestMessages(printed, readPythonMessages),
      },
    ];
  },
};

export function pythonVersion(printed: string): string | null {
  return /^Python \d[\w.+]*/.exec(printed)?.[0] ?? null;
}

/** What the script above printed, as people write it: `NumPy 1.24.2`. */
export function libraryVersions(printed: string): readonly string[] {
  return Object.entries(libraries).flatMap(([name, title]) => {
    const [, version] = new RegExp(`^${name} v?(\\d[\\w.+-]*)$`, 'm').exec(printed) ?? [];
    return version === undefined ? [] : [`${title} ${version}`];
  });
}

async function librariesNote(host: Host, path: string): Promise<string> {
  const dirs = (await host.fileState(packageFolder)) === null ? [] : [packageFolder];
  const printed = await host.answer({ command: [path, '-c', asking] }, [path, ...dirs]);
  const found = libraryVersions(printed ?? '');
  if (found.length === 0) return 'No library beside the standard one is there.';
  return `Beside the standard library: ${found.join(', ')}.`;
}
