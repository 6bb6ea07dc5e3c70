/** Answers in words and letters: choices, names, yes and no, what is said of no solution. */
import { childrenOf, type Tree } from '../tree.ts';

const group = /\\(?:text(?:rm|bf|it|sf|normal)?|mbox|hbox|mathrm|mathbf|operatorname|textsc)\s*\{([^{}]*)\}/g;

/** Without the commands that set words upright; `isText` where there were any. */
export function flattened(text: string): { readonly flat: string; readonly isText: boolean } {
  const flat = text.replaceAll(group, (_, content: string) => content);
  return { flat: flat.replaceAll(/\s+/g, ' ').trim(), isText: flat !== text };
}

/** `(C)`, `\text{C}`, `C)`, `(C) 12`: the letter; null where it is none. A bare `C` may be a variable. */
export function choiceIn(flat: string, isText: boolean): Tree | null {
  const bracketed = /^\(\s*([A-Ja-j])\s*\)(?:[.:]?(?:\s.*)?)?$/s.exec(flat)?.[1];
  const rest = flat.replace(/^\([^()]*\)/, '').trim();
  if (bracketed && (/[A-J]/.test(bracketed) || isText) && !/^[-+*/^_=<>!]/.test(rest))
    return choice(bracketed);
  const [, closed, said = ''] = /^([A-J])\s*[).:](?:\s(.*))?$/s.exec(flat) ?? [];
  if (closed && !/[<>=\\]|(?:^|[\s,;])[A-J]\s*[).:]/.test(said)) return choice(closed);
  const [, small] = /^([a-j])\)$/.exec(flat) ?? [];
  if (small) return choice(small);
  return isText && /^[A-J]$/.test(flat) ? choice(flat) : null;
}

function choice(letter: string): Tree {
  return { kind: 'choice', letter: letter.toUpperCase() };
}

const nothing =
  /^(?:there (?:is|are) )?no (?:real |integer |such )?(?:solutions?|values?|answers?|roots?)(?: exists?)?$/;
const everything = /^(?:all|every|any) real(?: numbers?| values?)?$/;

/** Words, where they are no mathematics; null where they may be. */
export function textIn(flat: string, isText: boolean): Tree | null {
  const plain = spokenForm(flat);
  if (nothing.test(plain)) return { kind: 'set', items: [] };
  if (everything.test(plain)) return { kind: 'domain', name: 'reals' };
  if (!/^[\p{L}\p{M}][\p{L}\p{M}\s'".,!?&-]*$/u.test(flat)) return null;
  const runs = flat.match(/[\p{L}\p{M}]+/gu) ?? [];
  if (runs.length > 1 && runs.every(isMathematics) && runs.some(functionNamed)) return null;
  if (runs.every(isMathematics)) return isText && flat.length > 1 && !words.has(plain) ? asText(flat) : null;
  return asText(flat);
}

/** One or two letters are variables, and so are the names of functions and Greek letters. */
export function isMathematics(run: string): boolean {
  if (/[^a-zA-Z]/.test(run)) return run.length === 1;
  return run.length <= 2
    ? !/^(?:no|ok)$/i.test(run)
    : words.has(run.toLowerCase()) || greekLetters.has(run) || functionNamed(run) !== undefined;
}

export function asText(text: string): Tree {
  return { kind: 'text', text: /^[\p{L}\p{M}\s'".,!?&-]+$/u.test(text) ? spokenForm(text) : text.trim() };
}

/** Without case, accents of writing and what ends a sentence. */
function spokenForm(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/["“”]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:the|an?) (?=\S)/, '')
    .replace(/(?<![\s.,;:!])[\s.,;:!]+$/, '');
}

/** Letters side by side may be a word that was set as mathematics, as in `$Even$`. */
export function lettersOf(tree: Tree): string | null {
  if (tree.kind === 'text') return tree.text;
  if (tree.kind === 'symbol') return tree.name.replaceAll('"', '').toLowerCase();
  if (tree.kind === 'constant') return tree.name;
  if (tree.kind !== 'product') return null;
  const letters = childrenOf(tree).map(lettersOf);
  return letters.includes(null) ? null : letters.join('');
}

/** Their braces hold words or an upright symbol, not mathematics. */
export const textCommands: ReadonlySet<string> = new Set(
  'text textrm textbf textit textsf texttt textnormal mbox hbox mathrm operatorname operatorname* mathit mathsf mathtt rm bf'.split(
    ' ',
  ),
);

/** Their name in the tree is the one that is written. */
const functionNames =
  'sin cos tan cot sec csc arcsin arccos arctan arccot sinh cosh tanh coth arsinh arcosh artanh ln log exp det gcd lcm max min arg re im sqrt cbrt abs floor ceil tr deg dim ker';
/** As written, then as in the tree. */
const functionAliases =
  'cosec csc tg tan ctg cot arctg arctan asin arcsin acos arccos atan arctan asinh arsinh acosh arcosh atanh artanh arcsinh arsinh arccosh arcosh arctanh artanh lg log Re re Im im sgn sign';

const functions = new Map([
  ...functionNames.split(' ').map((name) => [name, name] as const),
  ...[...functionAliases.matchAll(/(\w+) (\w+)/g)].map(
    ([, written = '', name = '']) => [written, name] as const,
  ),
]);

export function functionNamed(name: string): string | undefined {
  return functions.get(name);
}

const plainWords =
  'and or sin cos tan cot sec csc arcsin arccos arctan asin acos atan sinh cosh tanh asinh acosh atanh arsinh arcosh artanh ln log exp sqrt cbrt abs floor ceil gcd lcm max min pi infinity infty inf oo pct percent percentage degree degrees deg union intersect intersection mod';

/** Words of two and more letters that are no product of variables. */
export const words: ReadonlySet<string> = new Set(plainWords.split(' '));

export const greekLetters: ReadonlySet<string> = new Set(
  'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi omicron rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell hbar partial nabla aleph'.split(
    ' ',
  ),
);

/** Accents and alphabets: the name they stand over counts with them. */
export const decorations: ReadonlySet<string> = new Set(
  'vec overrightarrow overline bar hat widehat tilde widetilde mathbf boldsymbol mathcal mathscr mathfrak bm underline overleftrightarrow overarc dot ddot'.split(
    ' ',
  ),
);

export const domains: Readonly<Record<string, string>> = {
  R: 'reals',
  Z: 'integers',
  N: 'naturals',
  Q: 'rationals',
  C: 'complex',
};

/** They stand between things, or close them: none is a thing itself. */
export const operatorCommands: ReadonlySet<string> = new Set(
  '} | not right end rangle rvert rVert rfloor rceil pm mp cdot times ast bullet div circ prime le leq ge geq ne neq lt gt in notin cup cap bigcup bigcap setminus equiv approx cong sim to rightarrow Rightarrow implies iff land lor wedge vee mid colon pmod mod bmod backslash mapsto propto subset subseteq leqslant geqslant leftrightarrow Leftrightarrow because therefore choose perp parallel nparallel nmid ll gg simeq supset supseteq subsetneq vdash models prec succ longrightarrow Longrightarrow iff'.split(
    ' ',
  ),
);
