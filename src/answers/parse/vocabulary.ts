/** The words of LaTeX and of plain text that the parser knows. */

/** Their braces hold words or an upright symbol, not mathematics. */
export const textCommands: ReadonlySet<string> = new Set(
  'text textrm textbf textit textsf texttt textnormal mbox hbox mathrm operatorname operatorname* mathit mathsf mathtt rm bf'.split(
    ' ',
  ),
);

/** Name as written → name in the tree. */
const functionNames: Readonly<Record<string, string>> = {
  sin: 'sin',
  cos: 'cos',
  tan: 'tan',
  cot: 'cot',
  sec: 'sec',
  csc: 'csc',
  cosec: 'csc',
  tg: 'tan',
  ctg: 'cot',
  arcsin: 'arcsin',
  arccos: 'arccos',
  arctan: 'arctan',
  arctg: 'arctan',
  arccot: 'arccot',
  asin: 'arcsin',
  acos: 'arccos',
  atan: 'arctan',
  sinh: 'sinh',
  cosh: 'cosh',
  tanh: 'tanh',
  coth: 'coth',
  arcsinh: 'arsinh',
  arccosh: 'arcosh',
  arctanh: 'artanh',
  ln: 'ln',
  log: 'log',
  lg: 'log',
  exp: 'exp',
  det: 'det',
  gcd: 'gcd',
  lcm: 'lcm',
  max: 'max',
  min: 'min',
  arg: 'arg',
  Re: 're',
  Im: 'im',
  re: 're',
  im: 'im',
  sgn: 'sign',
  sqrt: 'sqrt',
  cbrt: 'cbrt',
  abs: 'abs',
  floor: 'floor',
  ceil: 'ceil',
  tr: 'tr',
  deg: 'deg',
  dim: 'dim',
  ker: 'ker',
};

const functions = new Map(Object.entries(functionNames));

export function functionNamed(name: string): string | undefined {
  return functions.get(name);
}

const plainWords =
  'and or sin cos tan cot sec csc arcsin arccos arctan asin acos atan sinh cosh tanh ln log exp sqrt cbrt abs floor ceil gcd lcm max min pi infinity infty inf oo pct percent percentage degree degrees deg union intersect intersection mod';

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
