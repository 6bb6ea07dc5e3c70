/**
 * A proof as a LaTeX document. Markdown becomes commands, formulas stay what they are, and all else is escaped: nothing of
 * what models wrote is a command outside of a formula. Pure.
 */
import type { Token } from 'markdown-it';
import type { Cell } from '../../../text/table.ts';
import type { Content } from './content.ts';
import type { Formula } from './math.ts';
import { tokensOf } from './tokens.ts';
import { typeset } from './typeset.ts';

export function latexOf(content: Content): string {
  const { title, facts, statement, hints, proof, attempts, findings, lists, reports } = content;
  const body = [
    section('The problem', `\\begin{quote}\n${rendered(statement)}\n\\end{quote}`),
    hints.length
      ? section('Hints', list(hints.map(({ from, hint }) => `\\emph{${latexText(from)}:} ${rendered(hint)}`)))
      : '',
    proof ? section(proof.heading, rendered(proof.text)) : '',
    ...attempts.map(({ heading, head, rows }) => section(heading, tableText(head, rows))),
    ...lists.map(({ heading, lines }) => section(heading, list(lines.map(rendered)))),
    findings.length ? '\\section*{What was found}' : '',
    ...findings.map(
      ({ heading, quote, text }) =>
        `\\subsection*{${latexText(heading)}}\n\n\\begin{quote}\n${rendered(quote)}\n\\end{quote}\n\n${rendered(text)}`,
    ),
    reports.length ? '\\section*{The reports}' : '',
    ...reports.map(({ heading, text }) => `\\subsection*{${latexText(heading)}}\n\n${rendered(text)}`),
    section(
      'How it came about',
      list(facts.map(([name, fact]) => `\\textbf{${latexText(name)}:} ${latexText(fact)}`)),
    ),
  ];
  return `${preamble(title)}\n${body.filter(Boolean).join('\n\n')}\n\n\\end{document}\n`;
}

/** For pdfTeX, XeTeX and LuaTeX; the last two know every letter. */
function preamble(title: string): string {
  return String.raw`\documentclass[11pt]{article}
\usepackage{iftex}
\ifpdftex
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
\else
  \usepackage{fontspec}
\fi
\usepackage{textcomp}
\usepackage{amsmath,amssymb,mathtools,bm,cancel,xcolor}
\usepackage[margin=2.5cm]{geometry}
\providecommand{\N}{\mathbb{N}}
\providecommand{\Z}{\mathbb{Z}}
\providecommand{\Q}{\mathbb{Q}}
\providecommand{\R}{\mathbb{R}}
\providecommand{\Complex}{\mathbb{C}}
\setlength{\parindent}{0pt}
\setlength{\parskip}{.6em}
\sloppy
\title{${latexText(title)}}
\date{}

\begin{document}
\maketitle
`;
}

function section(heading: string, text: string): string {
  return `\\section*{${latexText(heading)}}\n\n${text}`;
}

function list(items: readonly string[]): string {
  return `\\begin{itemize}\n${items.map((item) => `\\item {}${item}`).join('\n')}\n\\end{itemize}`;
}

function tableText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `${cells.map((cell) => latexText(String(cell))).join(' & ')} \\\\`;
  return [
    `\\begin{tabular}{${'l'.repeat(head.length)}}`,
    `${line(head)} \\hline`,
    ...rows.map(line),
    '\\end{tabular}',
  ].join('\n');
}

/** Markdown with TeX as LaTeX. */
export function rendered(text: string): string {
  return tokensOf(text)
    .tokens.map((token) => (token.type === 'inline' ? inlineText(token) : blockText(token)))
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** What opens and closes: commands of ours around what is escaped. */
const commands: Readonly<Record<string, string>> = {
  ...{ paragraph_open: '', paragraph_close: '\n\n', hr: '\n\\par\\medskip\\hrule\\medskip\n\n' },
  ...{ heading_open: '\n{\\bfseries ', heading_close: '}\\par\n\n' },
  ...{ bullet_list_open: '\n\\begin{itemize}\n', bullet_list_close: '\\end{itemize}\n\n' },
  ...{ ordered_list_open: '\n\\begin{enumerate}\n', ordered_list_close: '\\end{enumerate}\n\n' },
  ...{ list_item_open: '\\item {}', list_item_close: '\n' },
  ...{ blockquote_open: '\n\\begin{quote}\n', blockquote_close: '\\end{quote}\n\n' },
  ...{ table_close: '\\end{tabular}\n\n', tr_close: ' \\\\\n', thead_close: '\\hline\n' },
  ...{ strong_open: '\\textbf{', strong_close: '}', em_open: '\\emph{', em_close: '}' },
  ...{ softbreak: '\n', hardbreak: ' \\\\{}\n' },
};

function blockText(token: Token): string {
  const { type, content } = token;
  if (type === 'fence' || type === 'code_block') return verbatim(content);
  // Wider than any table needs: how many columns it has, its first row tells.
  if (type === 'table_open') return `\n\\begin{tabular}{*{30}{l}}\n`;
  if (type === 'td_close' || type === 'th_close') return ' & ';
  if (type === 'tr_close') return ' \\\\\n';
  return commands[type] ?? '';
}

function inlineText({ children }: Token): string {
  const textOf = ({ type, content, meta }: Token): string => {
    if (type === 'math') return latexMath(meta as Formula);
    if (type === 'code_inline') return `\\texttt{${latexText(content)}}`;
    return type === 'link_close' ? '' : (commands[type] ?? latexText(content));
  };
  return (children ?? []).map(textOf).join('');
}

/** Its end cannot be written inside of it. */
function verbatim(text: string): string {
  const lines = text.trimEnd().split('\n');
  const set = lines.map((line) => `\\texttt{${latexText(line).replaceAll(' ', '~')}}`);
  return `\n\\begin{quote}\n${set.join(' \\\\\n')}\n\\end{quote}\n\n`;
}

function latexMath(formula: Formula): string {
  const { isDisplay, source } = formula;
  const tex = settled(latexSigns(formula.tex));
  const written = isDisplay ? inDisplay(tex) : tex;
  if (!isWhole(written, isDisplay)) return `\\texttt{${latexText(source)}}`;
  return isDisplay ? `\\[\n${written}\n\\]` : `$${written}$`;
}

/** An empty line ends mathematics, and a comment would eat its end. */
function settled(tex: string): string {
  return tex
    .replaceAll(/(?<!\\)((?:\\\\)*)%[^\n]*/g, '$1')
    .replaceAll(/\n\s*\n/g, '\n')
    .trim();
}

/** Asked of the text as it will be written: what is taken out of it may join two halves of a command. */
function isWhole(tex: string, isDisplay: boolean): boolean {
  return tex !== '' && usesOnlySetting(tex) && typeset(tex, { isDisplay, faults: 'refused' }) !== null;
}

/**
 * Whether a formula uses only commands that KaTeX sets and that do nothing but set. None of them defines, reads or writes
 * files, writes to the terminal, links, changes how TeX reads, or throws an argument away unread.
 */
function usesOnlySetting(tex: string): boolean {
  // To TeX `^^5c` is a backslash.
  if (tex.includes('^^')) return false;
  return [...tex.matchAll(/\\([A-Za-z]+|[\s\S]|$)/g)].every(([, name = '']) => known.has(name));
}

/** Inside of a display these environments have other names. */
const inner: Readonly<Record<string, string>> = {
  align: 'aligned',
  alignat: 'alignedat',
  gather: 'gathered',
  multline: 'gathered',
  eqnarray: 'aligned',
};

function inDisplay(tex: string): string {
  return tex
    .replaceAll(/\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}/g, '')
    .replaceAll(
      /\\(begin|end)\{(align|alignat|gather|multline|eqnarray)\*?\}/g,
      (_, side, name) => `\\${side}{${inner[name]}}`,
    )
    .trim();
}

const special: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '"': '\\textquotedbl{}',
  '\u00a0': '~',
  '…': '\\dots{}',
  '∎': '\\ensuremath{\\blacksquare}',
};

/** Letters that TeX's older engines do not know, each with what its mathematics has for it. */
const signs = lettersIn(String.raw`
  ≤ \le  ≥ \ge  ≠ \ne  ≡ \equiv  ≈ \approx  ≅ \cong  ∼ \sim  → \to  ← \leftarrow  ↔ \leftrightarrow
  ⇒ \Rightarrow  ⇐ \Leftarrow  ⇔ \Leftrightarrow  ↦ \mapsto  ∈ \in  ∉ \notin  ⊂ \subset  ⊆ \subseteq  ∪ \cup
  ∩ \cap  ∅ \emptyset  ∀ \forall  ∃ \exists  ∧ \wedge  ∨ \vee  ¬ \neg  × \times  · \cdot  ÷ \div  ± \pm
  ∓ \mp  √ \surd  ∞ \infty  ∑ \sum  ∏ \prod  ∫ \int  ∂ \partial  ∇ \nabla  ℕ \mathbb{N}  ℤ \mathbb{Z}
  ℚ \mathbb{Q}  ℝ \mathbb{R}  ℂ \mathbb{C}  ∣ \mid  ⌊ \lfloor  ⌋ \rfloor  ⌈ \lceil  ⌉ \rceil  ⟨ \langle
  ⟩ \rangle  − -  ∘ \circ  ⊕ \oplus  ⊗ \otimes  ∥ \parallel  ⊥ \perp  ∠ \angle  ∤ \nmid  ⋅ \cdot
  ∖ \setminus  ≪ \ll  ≫ \gg  △ \triangle  ° ^\circ  α \alpha  β \beta  γ \gamma  δ \delta  ε \varepsilon
  ζ \zeta  η \eta  θ \theta  ι \iota  κ \kappa  λ \lambda  μ \mu  ν \nu  ξ \xi  π \pi  ρ \rho  σ \sigma
  τ \tau  υ \upsilon  φ \varphi  χ \chi  ψ \psi  ω \omega  Γ \Gamma  Δ \Delta  Θ \Theta  Λ \Lambda  Ξ \Xi
  Π \Pi  Σ \Sigma  Φ \Phi  Ψ \Psi  Ω \Omega  ² ^2  ³ ^3  ¹ ^1  ⁴ ^4  ⁿ ^n  ₀ _0  ₁ _1  ₂ _2  ′ '  ″ ''
  ⋯ \cdots  ∴ \therefore  □ \square  ■ \blacksquare  ✓ \checkmark
`);

function lettersIn(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/(\S) (\S+)/gu)].map(([, letter = '', sign = '']) => [letter, sign]));
}

/** Nothing of the text begins a command, ends a group, or is a comment. */
function latexText(text: string): string {
  return [...withoutControls(text)]
    .map((character) => {
      const sign = signs.get(character);
      return special[character] ?? (sign === undefined ? character : `\\ensuremath{${sign}}`);
    })
    .join('');
}

/** Signs inside of mathematics. */
function latexSigns(tex: string): string {
  return [...withoutControls(tex)]
    .map((character) => (signs.has(character) ? `{${signs.get(character)}}` : character))
    .join('');
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: TeX stops at them.
  return text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');
}

const commandSigns = '!"#$%&\'(),.:;=>\\^_`{|}~ \t\n';

const words = `
  AA AE Alpha And Bbb Bbbk Beta Big Bigg Biggl Biggm Biggr Bigl Bigm Bigr Box Bra Braket Bumpeq Cap Chi
  Colonapprox Coloneq Coloneqq Colonsim Complex Cup DOTSB DOTSI DOTSX Dagger Darr Delta Diamond Doteq
  Downarrow Epsilon Eqcolon Eqqcolon Eta Finv Game Gamma H Harr Huge Im Iota Join Kappa Ket LARGE LaTeX
  Lambda Large Larr Leftarrow Leftrightarrow Lleftarrow Longleftarrow Longleftrightarrow Longrightarrow
  Lrarr Lsh Mu N Nu O OE Omega Omicron Overrightarrow P Phi Pi Pr Psi R Rarr Re Reals Rho Rightarrow
  Rrightarrow Rsh S Set Sigma Subset Supset Tau TeX Theta Uarr Uparrow Updownarrow Upsilon Vdash Vert Vvdash
  Xi Z Zeta aa above acute ae alef alefsym aleph allowbreak alpha amalg angle approx approxcolon
  approxcoloncolon approxeq arccos arcctg arcsin arctan arctg arg argmax argmin ast asymp atop backepsilon
  backprime backsim backsimeq backslash bar barwedge bcancel because begin beta beth between bf big bigcap
  bigcirc bigcup bigg biggl biggm biggr bigl bigm bigodot bigoplus bigotimes bigr bigsqcup bigstar
  bigtriangledown bigtriangleup biguplus bigvee bigwedge binom blacklozenge blacksquare blacktriangle
  blacktriangledown blacktriangleleft blacktriangleright bm bmod bold boldsymbol bot bowtie boxdot boxed
  boxminus boxplus boxtimes bra brace brack braket breve bull bullet bumpeq c cal cancel cap cdot cdotp
  cdots centerdot cfrac ch check checkmark chi choose circ circeq circlearrowleft circlearrowright circledR
  circledS circledast circledcirc circleddash clap clubs clubsuit cnums colon colonapprox coloncolon
  coloncolonapprox coloncolonequals coloncolonminus coloncolonsim coloneq coloneqq colonequals colonminus
  colonsim color colorbox complement cong coprod copyright cos cosec cosh cot cotg coth csc ctg cth cup
  curlyeqprec curlyeqsucc curlyvee curlywedge curvearrowleft curvearrowright dArr dag dagger daleth darr
  dashleftarrow dashrightarrow dashv dbinom dblcolon ddag ddagger ddddot dddot ddot ddots deg degree delta
  det dfrac diagdown diagup diamond diamonds diamondsuit digamma dim displaystyle div divideontimes dot
  doteq doteqdot dotplus dots dotsb dotsc dotsi dotsm dotso dotsx doublebarwedge doublecap doublecup
  downarrow downdownarrows downharpoonleft downharpoonright ell emph empty emptyset end enskip enspace
  epsilon eqcirc eqcolon eqqcolon eqsim eqslantgtr eqslantless equalscolon equalscoloncolon equiv eta eth
  exist exists exp fallingdotseq fbox fcolorbox flat footnotesize forall frac frak frown gamma gcd ge
  genfrac geq geqq geqslant gets gg ggg gggtr gimel gnapprox gneq gneqq gnsim grave gt gtrapprox gtrdot
  gtreqless gtreqqless gtrless gtrsim gvertneqq hArr harr hat hbar hbox hdashline hearts heartsuit hline hom
  hookleftarrow hookrightarrow hphantom hskip hslash hspace huge i iff iiint iint image imageof imath
  impliedby implies in inf infin infty injlim int intercal intop iota isin it j jmath ker kern ket lArr
  lBrace lVert lambda land lang langle large larr lbrace lbrack lceil ldotp ldots le leadsto left leftarrow
  leftarrowtail leftharpoondown leftharpoonup leftleftarrows leftrightarrow leftrightarrows
  leftrightharpoons leftrightsquigarrow leftthreetimes leq leqq leqslant lessapprox lessdot lesseqgtr
  lesseqqgtr lessgtr lesssim lfloor lg lgroup lhd lim liminf limits limsup ll llap llbracket llcorner lll
  llless lmoustache ln lnapprox lneq lneqq lnot lnsim log longleftarrow longleftrightarrow longmapsto
  longrightarrow looparrowleft looparrowright lor lozenge lparen lq lrArr lrarr lrcorner lt ltimes lvert
  lvertneqq maltese mapsfrom mapsto mathbb mathbf mathbin mathcal mathchoice mathclap mathclose mathellipsis
  mathfrak mathinner mathit mathllap mathnormal mathop mathopen mathord mathpunct mathreflectbox mathrel
  mathring mathrlap mathrm mathscr mathsf mathsfit mathsterling mathstrut mathtt max measuredangle medspace
  mho mid middle min minuscolon minuscoloncolon minuso mkern mod models mp mskip mu multimap nLeftarrow
  nLeftrightarrow nRightarrow nVDash nVdash nabla natnums natural ncong ne nearrow neg negmedspace
  negthickspace negthinspace neq newline nexists ngeq ngeqq ngeqslant ngtr ni nleftarrow nleftrightarrow
  nleq nleqq nleqslant nless nmid nobreak nobreakspace nolimits nonumber normalsize not notag notin notni
  nparallel nprec npreceq nrightarrow nshortmid nshortparallel nsim nsubseteq nsubseteqq nsucc nsucceq
  nsupseteq nsupseteqq ntriangleleft ntrianglelefteq ntriangleright ntrianglerighteq nu nvDash nvdash
  nwarrow o odot oe oiiint oiint oint omega omicron ominus operatorname operatornamewithlimits oplus
  ordinarycolon origof oslash otimes over overbrace overbracket overgroup overleftarrow overleftharpoon
  overleftrightarrow overline overlinesegment overrightarrow overrightharpoon overset owns parallel partial
  perp phantom phase phi pi pitchfork plim plusmn pm pmb pmod pod pounds prec precapprox preccurlyeq preceq
  precnapprox precneqq precnsim precsim prime prod projlim propto psi qquad quad r rArr rBrace rVert
  raisebox rang rangle rarr ratio rbrace rbrack rceil real reals reflectbox rfloor rgroup rhd rho right
  rightarrow rightarrowtail rightharpoondown rightharpoonup rightleftarrows rightleftharpoons
  rightrightarrows rightsquigarrow rightthreetimes risingdotseq rlap rm rmoustache rparen rq rrbracket
  rtimes rule rvert scriptscriptstyle scriptsize scriptstyle sdot searrow sec sect set setminus sf sh sharp
  shortmid shortparallel sigma sim simcolon simcoloncolon simeq sin sinh sixptsize small smallfrown smallint
  smallsetminus smallsmile smash smile sout space spades spadesuit sphericalangle sqcap sqcup sqrt sqsubset
  sqsubseteq sqsupset sqsupseteq square ss stackrel star sub sube subset subseteq subseteqq subsetneq
  subsetneqq substack succ succapprox succcurlyeq succeq succnapprox succneqq succnsim succsim sum sup supe
  supset supseteq supseteqq supsetneq supsetneqq surd swarrow tan tanh tau tbinom text textasciicircum
  textasciitilde textbackslash textbar textbardbl textbf textbraceleft textbraceright textcircled textcolor
  textcopyright textdagger textdaggerdbl textdegree textdollar textellipsis textemdash textendash
  textgreater textit textless textmd textnormal textquotedblleft textquotedblright textquoteleft
  textquoteright textregistered textrm textsf textsterling textstyle texttt textunderscore textup tfrac tg
  th therefore theta thetasym thickapprox thicksim thickspace thinspace tilde times tiny tmspace to top
  triangle triangledown triangleleft trianglelefteq triangleq triangleright trianglerighteq tt
  twoheadleftarrow twoheadrightarrow u uArr uarr ulcorner underbar underbrace underbracket undergroup
  underleftarrow underleftrightarrow underline underlinesegment underrightarrow underset unlhd unrhd uparrow
  updownarrow upharpoonleft upharpoonright uplus upsilon upuparrows urcorner utilde v vDash varDelta
  varGamma varLambda varOmega varPhi varPi varPsi varSigma varTheta varUpsilon varXi varepsilon varinjlim
  varkappa varliminf varlimsup varnothing varphi varpi varprojlim varpropto varrho varsigma varsubsetneq
  varsubsetneqq varsupsetneq varsupsetneqq vartheta vartriangle vartriangleleft vartriangleright varvdots
  vcentcolon vcenter vdash vdots vec vee veebar vert vphantom wedge weierp widecheck widehat widetilde wp wr
  xLeftarrow xLeftrightarrow xRightarrow xcancel xhookleftarrow xhookrightarrow xi xleftarrow
  xleftequilibrium xleftharpoondown xleftharpoonup xleftrightarrow xleftrightharpoons xlongequal xmapsto
  xrightarrow xrightequilibrium xrightharpoondown xrightharpoonup xrightleftarrows xrightleftharpoons
  xtofrom xtwoheadleftarrow xtwoheadrightarrow yen zeta
`;

const known: ReadonlySet<string> = new Set([...commandSigns, ...words.split(/\s+/).filter(Boolean)]);
