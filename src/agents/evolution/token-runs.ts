/**
 * A program as the set of its runs of tokens, without comments. Within a run, names of variables are told by the order in
 * which they first stand in it: renaming them changes nothing, using another one does. Pure.
 */

/** A hash of a run: enough to tell runs of one session apart. */
export type Run = number;

const length = 7;

const token =
  /[A-Za-z_]\w*|(?:0[xX][\da-fA-F']+|\d[\d']*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)\w*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|::|->|<<=?|>>=?|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--|\S/g;

/** Names that mean something by themselves: who takes another one has changed the program. */
const words = new Set(
  (
    'alignas alignof auto bool break case catch char class const constexpr continue decltype default delete do double else ' +
    'enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator ' +
    'private protected public register return short signed sizeof static static_cast struct switch template this throw true ' +
    'try typedef typename union unsigned using virtual void volatile while int64_t uint64_t int32_t uint32_t size_t ' +
    'std vector array deque list set map multiset multimap unordered_map unordered_set queue stack priority_queue bitset ' +
    'string pair tuple optional function greater less include define pragma first second numeric_limits chrono ' +
    'def elif import from in is not and or lambda pass None True False range print yield with as global except finally'
  ).split(' '),
);

export function runsOf(source: string, python: boolean): ReadonlySet<Run> {
  const tokens = tokensOf(source, python);
  const runs = new Set<Run>();
  for (let start = 0; start === 0 || start + length <= tokens.length; start += 1) {
    runs.add(hashOf(tokens.slice(start, start + length)));
  }
  return runs;
}

/** Equal for programs that differ in comments and spaces alone. */
export function sameText(source: string, python: boolean): string {
  return tokensOf(source, python).join(' ');
}

function tokensOf(source: string, python: boolean): readonly string[] {
  // A string may hold what looks like a comment: both are read in one go, and the string is kept.
  const comments = python
    ? /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|#[^\n]*/g
    : /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
  return source.replace(comments, (_all, text: string | undefined) => text ?? ' ').match(token) ?? [];
}

function hashOf(run: readonly string[]): Run {
  const names = new Map<string, number>();
  let hash = 0x811c9dc5;
  for (const [at, each] of run.entries()) {
    const isFree = /^[A-Za-z_]/.test(each) && !words.has(each) && run[at + 1] !== '(';
    if (isFree && !names.has(each)) names.set(each, names.size);
    const said = isFree ? `$${names.get(each)}` : each;
    for (let place = 0; place < said.length; place += 1) {
      hash = Math.imul(hash ^ said.charCodeAt(place), 0x01000193);
    }
    hash = Math.imul(hash ^ 0x20, 0x01000193);
  }
  return hash >>> 0;
}
