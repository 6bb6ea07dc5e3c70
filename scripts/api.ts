/**
 * What the library exports, as its declarations say: read from the `.d.ts` files that the package will hold. From it
 * `docs/api.md` is written (`npm run api`), and a test looks whether it is complete.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Node } from 'typescript/unstable/ast';
import {
  isExpressionWithTypeArguments,
  isImportTypeNode,
  isTypeQueryNode,
  isTypeReferenceNode,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Symbol as Declared, SymbolFlags } from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '..');

export const apiPage = join(root, 'docs', 'api.md');

export type ApiEntry = {
  readonly name: string;
  /** Whether the library exports it; else an export names it, directly or by other types. */
  readonly isExported: boolean;
  readonly isValue: boolean;
  /** Its TSDoc: the text, and its tags. */
  readonly doc: string;
  readonly tags: readonly { readonly name: string; readonly text: string }[];
  /** As it is declared, the comments of its members included. */
  readonly declaration: string;
};

/** Everything that `src/index.ts` exports, in its order, and then the types that these name. */
export function readApi(entry = join(root, 'src', 'index.ts')): readonly ApiEntry[] {
  const folder = mkdtempSync(join(tmpdir(), 'polya-api-'));
  try {
    declare(folder, entry);
    return entriesIn(folder, join(folder, relative(join(root, 'src'), entry).replace(/ts$/, 'd.ts')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Only the declarations, which takes a tenth of the time of a build. */
function declare(folder: string, entry: string): void {
  const types = { types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] };
  const project = (more: object, options: object): string => {
    const file = join(folder, 'tsconfig.json');
    writeFileSync(file, JSON.stringify({ ...more, compilerOptions: { ...types, ...options } }));
    return file;
  };
  const emit = project(
    { extends: join(root, 'scripts', 'tsconfig.json'), include: [entry], exclude: [] },
    {
      outDir: folder,
      rootDir: join(root, 'src'),
      emitDeclarationOnly: true,
      noCheck: true,
      noEmitOnError: false,
    },
  );
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const { status, stdout, stderr } = spawnSync(tsc, ['-p', emit], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The declarations could not be made:\n${stdout}${stderr}`);
  project({ include: ['**/*.d.ts'] }, { module: 'nodenext', noEmit: true, skipLibCheck: true });
}

function entriesIn(folder: string, index: string): readonly ApiEntry[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(folder, 'tsconfig.json')] }).getProjects();
    const file = project?.program.getSourceFile(index);
    const library = file && project?.checker.getSymbolAtLocation(file);
    if (!project || !library) throw new Error(`${index} exports nothing.`);
    const { checker } = project;
    const exported = checker.getExportsOfModule(library).map((each) => behind(checker, each));
    const entries = new Map<string, ApiEntry>();
    const add = (symbol: Declared, isExported: boolean): void => {
      if (entries.has(keyOf(symbol))) return;
      const nodes = symbol.declarations.flatMap((each) => each.resolve() ?? []);
      entries.set(keyOf(symbol), {
        name: symbol.name,
        isExported,
        isValue: (symbol.flags & SymbolFlags.Value) !== 0,
        doc: symbol.getDocumentationComment(checker).trim(),
        tags: symbol.getJsDocTags(checker).map(({ name, text }) => ({ name, text: text ?? '' })),
        declaration: nodes.map((node) => textOf(node)).join('\n'),
      });
      if (isExported) return;
      for (const named of namedBy(nodes)) add(named, false);
    };
    const namedBy = (nodes: readonly Node[]) =>
      nodes.flatMap((node) => typesIn(checker, node)).filter((each) => isOurs(each, folder));
    for (const symbol of exported) add(symbol, true);
    for (const symbol of exported)
      for (const named of namedBy(symbol.declarations.flatMap((each) => each.resolve() ?? [])))
        add(named, false);
    return [...entries.values()];
  } finally {
    api.close();
  }
}

/** What an export or an import stands for. */
function behind(checker: Checker, symbol: Declared): Declared {
  return symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function keyOf(symbol: Declared): string {
  return `${symbol.declarations[0]?.path ?? ''}#${symbol.name}`;
}

function isOurs({ declarations, flags }: Declared, folder: string): boolean {
  const isType = flags & (SymbolFlags.Type | SymbolFlags.Variable | SymbolFlags.Function);
  if (!isType || flags & SymbolFlags.TypeParameter) return false;
  return declarations.some(({ path }) => path.startsWith(`${folder}/`));
}

/** What a declaration names: types, and values by `typeof`. */
function typesIn(checker: Checker, declaration: Node): Declared[] {
  const found: Declared[] = [];
  const visit = (node: Node): void => {
    const name = nameIn(node);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol) found.push(behind(checker, symbol));
    node.forEachChild(visit);
  };
  visit(declaration);
  return found;
}

function nameIn(node: Node): Node | undefined {
  if (isTypeReferenceNode(node)) return node.typeName;
  if (isExpressionWithTypeArguments(node)) return node.expression;
  if (isTypeQueryNode(node)) return node.exprName;
  return isImportTypeNode(node) ? node.qualifier : undefined;
}

function textOf(node: Node): string {
  const text = node.getText().replace(/^export declare |^export /, '');
  return isVariableDeclaration(node) ? `const ${text};` : text;
}

/** What a reader looks for first. */
const first: readonly string[] = ['openPolya', 'defineAgent', 'defineFamily'];

/** The page: functions and classes by name, then types by name, then what these name. */
export function apiMarkdown(entries: readonly ApiEntry[]): string {
  const rank = ({ name }: ApiEntry): number => [...first].reverse().indexOf(name);
  const byName = (a: ApiEntry, b: ApiEntry) => (a.name < b.name ? -1 : 1);
  const exported = entries.filter(({ isExported }) => isExported);
  const values = exported
    .filter(({ isValue }) => isValue)
    .toSorted((a, b) => rank(b) - rank(a) || byName(a, b));
  const types = exported.filter(({ isValue }) => !isValue).toSorted(byName);
  const others = entries.filter(({ isExported }) => !isExported).toSorted(byName);
  return [
    '# The library',
    "Everything that `import … from 'polya'` gives. This page is made from the source by `npm run api`; [your own](your-own.md) is the guide.",
    '## Functions, classes and values',
    ...values.map(section),
    '## Types',
    ...types.map(section),
    '## What these types name',
    "They have no names of their own in the library: take them from those above, as in `Parameters<Run['exec']>[0]`.",
    `\`\`\`ts\n${others.map(inBlock).join('\n\n')}\n\`\`\``,
  ]
    .join('\n\n')
    .concat('\n');
}

function inBlock({ doc, declaration }: ApiEntry): string {
  return `/** ${doc.replaceAll('\n', ' ')} */\n${declaration}`;
}

function section({ name, doc, tags, declaration }: ApiEntry): string {
  const told = tags.map(({ name: tag, text }) =>
    tag === 'example' ? `\`\`\`ts\n${text}\n\`\`\`` : `*${tag}* ${text}`,
  );
  return [`### ${name}`, doc, ...told, `\`\`\`ts\n${declaration}\n\`\`\``].join('\n\n');
}

if (import.meta.main) writeFileSync(apiPage, apiMarkdown(readApi()));
