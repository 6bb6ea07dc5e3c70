/**
 * The commands that a formula may use in a LaTeX document: those that KaTeX sets and that do nothing but set. None defines,
 * reads or writes files, writes to the terminal, links, changes how TeX reads, or throws an argument away unread.
 */

export function usesOnlySetting(tex: string): boolean {
  // To TeX `^^5c` is a backslash.
  if (tex.includes('^^')) return false;
  return [...tex.matchAll(/\\([A-Za-z]+|[\s\S]|$)/g)].every(([, name = '']) => known.has(name));
}

const signs = '!"#$%&\'(),.:;=>\\^_`{|}~ \t\n';

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

const known: ReadonlySet<string> = new Set([...signs, ...words.split(/\s+/).filter(Boolean)]);
