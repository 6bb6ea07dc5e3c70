/** A proof's LaTeX that holds hostile text, compiled by a real TeX inside of the sandbox. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chosenSandbox } from '../../src/sandbox/choose.ts';
import { otherDocuments } from './documents.ts';
import { hostileFormulas, hostileTexts } from './texts.ts';

const tex = '/usr/share/texlive/texmf-dist';
/** Where Debian keeps what it makes for this machine, which no sandbox sees. */
const format = '/var/lib/texmf/web2c/pdftex/pdflatex.fmt';

/** Compiles each document, and tells its errors and which files it made; TeX may do all that it can. */
const program = `
import json, os, subprocess
os.environ.update(TEXMFCNF='.', TEXMF='${tex}', HOME='.')
open('texmf.cnf', 'w').write('TEXMFDIST=${tex}\\nTEXINPUTS=.;${tex}/tex/{latex,generic,}//\\nTFMFONTS=${tex}/fonts/tfm//\\n'
    'TEXFORMATS=.\\nTEXFONTMAPS=.;${tex}/fonts/map//\\nENCFONTS=${tex}/fonts/enc//\\nshell_escape=t\\nopenin_any=a\\nopenout_any=a\\n'
    'main_memory=5000000\\nextra_mem_bot=2000000\\nfont_mem_size=8000000\\npool_size=6250000\\nbuf_size=200000\\nhash_extra=600000\\nmax_strings=500000\\nstring_vacancies=90000\\nstack_size=10000\\nsave_size=100000\\nparam_size=20000\\nmax_in_open=15\\nhyph_size=8191\\ntrie_size=1000000\\n')
open('cancel.sty', 'w').write(r'\\ProvidesPackage{cancel}\\newcommand\\cancel[1]{#1}\\newcommand\\bcancel[1]{#1}\\newcommand\\xcancel[1]{#1}')
told = []
for name in sorted(n for n in os.listdir('.') if n.endswith('.tex')):
    before = set(os.listdir('.'))
    command = ['pdftex', '-fmt=pdflatex', '-draftmode', '-interaction=nonstopmode', '-shell-escape', name]
    done = subprocess.run(command, capture_output=True, timeout=60)
    out = done.stdout.decode('utf8', 'replace')
    told.append({'name': name, 'errors': [l for l in out.split('\\n') if l.startswith('!')], 'whole': 'Transcript written' in out and 'Emergency stop' not in out,
                 'made': sorted(set(os.listdir('.')) - before)})
print(json.dumps(told))
`;

test('where LaTeX is installed: documents compile, write to no console and to no file', {
  tags: ['latex'],
}, async () => {
  const texts = [...new Set([...hostileTexts, ...hostileFormulas])];
  const groups = Array.from({ length: Math.ceil(texts.length / 10) }, (_, at) =>
    texts.slice(at * 10, at * 10 + 10),
  );
  const documents = groups.map((group, at) => [`d${at}.tex`, otherDocuments.latex(group.join('\n\n'))]);
  const sandbox = chosenSandbox();
  const { run } = await sandbox.exec(
    {
      ...{ language: 'python', source: program },
      files: { ...Object.fromEntries(documents), 'pdflatex.fmt': readFileSync(format) },
      limits: { wallMs: 280_000, cpuMs: 280_000, outputBytes: 1_000_000, memoryBytes: 1024 ** 3 },
    },
    new AbortController().signal,
  );
  await sandbox.close();
  expect(run?.verdict, run?.stderr.text).toBe('ok');
  const told: Told[] = JSON.parse(run?.stdout.text ?? '');
  expect(told.length).toBe(documents.length);
  for (const { name, errors, whole, made } of told) {
    const stem = name.replace('.tex', '');
    // A letter that the oldest engine does not know is left out.
    const own = errors.filter((line) => !line.includes('Unicode character'));
    expect([whole, own, made.filter((file) => !file.startsWith(`${stem}.`))], name).toEqual([true, [], []]);
  }
});

type Told = {
  readonly name: string;
  readonly errors: readonly string[];
  readonly whole: boolean;
  readonly made: readonly string[];
};
