/** The logarithm of Γ, the regularised incomplete Γ, the normal distribution and its inverse, to about twelve digits. */

// Lanczos' approximation with g = 7 and nine terms: 15 digits for positive arguments.
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  const [first = 0, ...terms] = lanczos;
  const sum = terms.reduce((total, term, at) => total + term / (x + at), first);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** P(X ≤ x) of the standard normal distribution. */
export function normalCdf(x: number): number {
  const half = 0.5 * incompleteGamma(0.5, (x * x) / 2);
  return x < 0 ? 0.5 - half : 0.5 + half;
}

/** The x with P(X ≤ x) = p. */
export function normalQuantile(p: number): number {
  if (p === 0.5) return 0;
  return bisect((x) => normalCdf(x), p, [-40, 40]);
}

const mostTerms = 500;
const smallest = 1e-300;
const precision = 1e-16;

/** The part of Γ(a) below x. */
function incompleteGamma(a: number, x: number): number {
  if (x <= 0) return 0;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? scale * gammaSeries(a, x) : 1 - scale * gammaFraction(a, x);
}

function gammaSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n <= mostTerms && Math.abs(term) > Math.abs(sum) * precision; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** A continued fraction by Lentz' method. */
function gammaFraction(a: number, x: number): number {
  const terms = (n: number) => [-n * (n - a), x + 2 * n + 1 - a] as const;
  return 1 / lentz(x + 1 - a, terms);
}

/** `first + t(1)/(… + t(2)/(…))`; each term is a numerator and the next denominator. */
function lentz(first: number, terms: (n: number) => readonly [number, number]): number {
  const kept = (value: number) => (Math.abs(value) < smallest ? smallest : value);
  let value = kept(first);
  let c = value;
  let d = 0;
  for (let n = 1; n <= mostTerms; n += 1) {
    const [numerator, denominator] = terms(n);
    d = 1 / kept(denominator + numerator * d);
    c = kept(denominator + numerator / c);
    const step = c * d;
    value *= step;
    if (Math.abs(step - 1) < precision) break;
  }
  return value;
}

/** Where a function that rises reaches a value. */
function bisect(rising: (x: number) => number, goal: number, [from, to]: readonly [number, number]): number {
  let low = from;
  let high = to;
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (rising(middle) < goal) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
