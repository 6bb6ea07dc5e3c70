/** Units and currencies: what they measure, and how they convert. An unknown word is a label that equals itself. */
import { multiply, powerOf, type Rational, rational } from '../exact/rational.ts';
import type { Unit } from '../tree.ts';
/** dimension: names = factor over divisor, separated by semicolons. */
import table from './units.json' with { type: 'json' };

const units = new Map<string, Unit>();
for (const [dimension, text] of Object.entries(table)) {
  for (const group of text.split(';')) {
    const [names = '', factor = '1'] = group.split('=');
    const [numerator = '1', denominator = '1'] = factor.split('/');
    const value = rational(BigInt(numerator), BigInt(denominator));
    for (const name of names.split(' ')) units.set(name, { dimension, factor: value, name });
  }
}

/** `cm^2`, `square feet`, `km/h`, `miles per hour`; null where it is no unit that is known. */
export function unitNamed(phrase: string): Unit | null {
  const [numerator = '', denominator, ...more] = phrase
    .trim()
    .replaceAll(/\bper\b/g, '/')
    .split('/');
  const unit = simpleUnit(numerator);
  if (!unit || more.length > 0) return null;
  if (denominator === undefined) return unit;
  const below = simpleUnit(denominator);
  if (!below) return null;
  const inverse = rational(below.factor.under, below.factor.over);
  const isSpeed = unit.dimension === 'length' && below.dimension === 'time';
  return {
    dimension: isSpeed ? 'speed' : `${unit.dimension}/${below.dimension}`,
    factor: multiply(unit.factor, inverse),
    name: `${unit.name}/${below.name}`,
  };
}

function simpleUnit(phrase: string): Unit | null {
  const squared = /^(?:square|sq\.?|cubic|cu\.?)\s+(.+)$/i.exec(phrase.trim());
  const raised = /^(.+?)\s*\^\s*\{?\s*([23])\s*\}?$/.exec(phrase.trim());
  const later = /^(.+?)\s+(squared|cubed)$/i.exec(phrase.trim());
  const name = (squared?.[1] ?? raised?.[1] ?? later?.[1] ?? phrase).trim().replace(/\.$/, '');
  const known = units.get(name) ?? (name.length > 1 ? units.get(name.toLowerCase()) : undefined);
  if (!known) return null;
  const word = squared
    ? phrase.trim().slice(0, 2).toLowerCase()
    : (later?.[2] ?? '').slice(0, 2).toLowerCase();
  const exponent = raised ? Number(raised[2]) : word === 'cu' ? 3 : squared || later ? 2 : 1;
  return exponent === 1 ? known : powerOfUnit(known, exponent);
}

function powerOfUnit({ dimension, factor, name }: Unit, exponent: number): Unit {
  const raised: Rational = powerOf(factor, BigInt(exponent)) ?? factor;
  if (dimension === 'length' && exponent === 3) {
    return { dimension: 'volume', factor: multiply(raised, rational(1000n)), name: `${name}^3` };
  }
  return { dimension: `${dimension}^${exponent}`, factor: raised, name: `${name}^${exponent}` };
}

/** `apples`: nothing is known of it but that it is not `oranges`. */
export function labelUnit(phrase: string): Unit {
  const name = phrase
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/(?<=[a-z]{2})s$/, '');
  return { dimension: `label:${name}`, factor: rational(1n), name };
}

export const currencySigns: Readonly<Record<string, string>> = {
  '\\$': 'dollar',
  $: 'dollar',
  '€': 'euro',
  '£': 'gbp',
  '¥': 'yen',
  '₹': 'rupee',
  '¢': 'cents',
  USD: 'dollar',
  EUR: 'euro',
  GBP: 'gbp',
};

export type SplitUnit = { readonly text: string; readonly unit: Unit | null };

const about = /^(?:\\approx|\\sim|approximately|approx\.?|about|roughly|around|~)\s*/i;
const lead = /^\\text\{[^{}]*\b(?:is|are|equals)\s*:?\s*\}\s*/;
const currency = String.raw`(?:\\\$|\$|€|£|¥|₹|¢|USD|EUR|GBP)`;
const before = new RegExp(String.raw`^([-+]?)\s*(${currency})\s*(?=[-+\d.\\({])`);
const after = new RegExp(String.raw`(?<=[\d}).\s])\s*(${currency})$`);
const grouped =
  /^(.*?\S)\s*(?:\\cdot\s*)?\\(?:text(?:rm|bf|it|sf|normal)?|mbox|hbox|mathrm|operatorname)\s*\{([^{}]*)\}\s*(\^\s*\{?\s*[23]\s*\}?)?$/;
const twoGroups =
  /^(.*?\S)\s*\\(?:text(?:rm)?|mbox|mathrm)\s*\{([^{}]*)\}\s*(\^\s*\{?\s*[23]\s*\}?)?\s*\/\s*\\(?:text(?:rm)?|mbox|mathrm)\s*\{([^{}]*)\}\s*(\^\s*\{?\s*[23]\s*\}?)?$/;
const temperature = /^(.*?)\s*\^\s*\{?\s*\\circ\s*\}?\s*(?:\\(?:text|mathrm)\s*\{\s*)?([CF])\s*\}?$/;
const spoken =
  /^(.*?(?:[\d})]|\\pi(?=\s)|[a-z](?=\s+(?:square|cubic)\s)))\s*(?![a-z]\s+(?:square|cubic)\s)([A-Za-z][A-Za-z ./]*[A-Za-z]|[A-Za-z])\s*(\^\s*\{?\s*[23]\s*\}?)?$/;
const number = /^[-+]?[\d.,\s\ue001\ue002/]*\d[\d.,\s\ue001\ue002]*$/;
const connectors =
  /^\s*(?:,\s*)?(?:and|or|if|where|for|mod|squared|cubed|factorial|halves|thirds|f\w+ths)\b/i;

export function splitUnit(text: string, isMath: boolean): SplitUnit {
  const shortened = text.replace(lead, '').replace(about, '').replace(braced, unitWord);
  const [, sign = '', money] = before.exec(shortened) ?? [];
  if (money) {
    const rest = splitUnit(sign + shortened.replace(before, ''), isMath);
    return { text: rest.text, unit: rest.unit ?? unitNamed(currencySigns[money] ?? '') };
  }
  const late = after.exec(shortened)?.[1];
  if (late) return { text: shortened.replace(after, '').trim(), unit: unitNamed(currencySigns[late] ?? '') };
  return (
    temperatureOf(shortened) ??
    unitInGroup(shortened) ??
    unitInWords(shortened, isMath) ?? { text: shortened, unit: null }
  );
}

/** `4{cm}`. */
const braced = /(?<=[\d)}]\s?)\{\s*([A-Za-z]{2,12})\s*\}(?=\s*(?:\^\s*\{?\s*[23]\s*\}?)?$)/;

function unitWord(found: string, name: string): string {
  return unitNamed(name) ? `\\text{${name}}` : found;
}

/** `36\pi\;m^2`, `$5$ J`: a space parts a unit from its value. One letter alone may as well be a variable, within a formula. */
export function spaceUnit(raw: string): string | null {
  const [found = '', name = '', raised = ''] = spacedUnit.exec(raw) ?? [];
  const isInside = !/^\s*(?:\$|\\\))/.test(found);
  if (
    found === '' ||
    (isInside && name.length === 1 && raised === '') ||
    !unitNamed(name + raised.replaceAll(/\s/g, ''))
  )
    return null;
  return raw.replace(/^\s*(?:\$|\\\()/, '').replace(spacedUnit, ` \\text{${name}}${raised}`);
}

const spacedUnit =
  /(?<=[\w})])\s*(?:(?:\\[,;: ]|~|\\thinspace|\\quad)+\s*|(?:\$|\\\))\s+)([A-Za-z]{1,6}(?:\/[A-Za-z]{1,4})?)\s*(\^\s*\{?\s*[23]\s*\}?)?[\s$.]*$/;

function temperatureOf(text: string): SplitUnit | null {
  const [, value, scale] = temperature.exec(text) ?? [];
  if (value === undefined || !scale) return null;
  return { text: value, unit: unitNamed(scale === 'C' ? 'celsius' : 'fahrenheit') };
}

/** `15 \text{ cm}^2`, `60 \text{ km}/\text{h}`, `12 \text{ apples}`. */
function unitInGroup(text: string): SplitUnit | null {
  const second = twoGroups.exec(text);
  if (second) {
    const unit = unitNamed(`${second[2]}${second[3] ?? ''}/${second[4]}${second[5] ?? ''}`);
    if (unit) return { text: second[1] ?? '', unit };
  }
  const [, value = '', phrase = '', exponent = ''] = grouped.exec(text) ?? [];
  if (!/[\da-zA-Z})]$/.test(value) || connectors.test(phrase) || !isPhrase(phrase)) return null;
  const unit = unitNamed(phrase + exponent.replaceAll(/\s/g, ''));
  if (unit) return { text: value, unit };
  return /[A-Za-z]{2}/.test(phrase) && /[\d}]$/.test(value) ? { text: value, unit: labelUnit(phrase) } : null;
}

function isPhrase(phrase: string): boolean {
  return (
    /^[\sA-Za-z./^\d-]+$/.test(phrase) &&
    /[A-Za-z]/.test(phrase) &&
    !/^\s*(?![JLNW]\s*$)[A-Z]\s*$/.test(phrase)
  );
}

/** `40 рублей`, `40个`: a word that no variable is written like. */
const abroad =
  /^([-+]?\d[\d.,]*)\s*((?![\p{ASCII} ]*$)(?:[\p{sc=Cyrillic}\p{sc=Latin}][\p{sc=Cyrillic}\p{sc=Latin} ]+|[\p{sc=Han}\p{sc=Hangul}\p{sc=Arabic}\p{sc=Devanagari}][\p{L}\p{M} ]*))$/u;

/** Plain words after a number. A single letter is a variable where the text is mathematics. */
function unitInWords(text: string, isMath: boolean): SplitUnit | null {
  const [, amount, label] = abroad.exec(text) ?? [];
  if (amount && label) return { text: amount, unit: labelUnit(label) };
  const [, value = '', phrase = '', exponent = ''] = spoken.exec(text) ?? [];
  if (!phrase || connectors.test(phrase) || /\\(?!pi\s*$)[a-zA-Z]*$/.test(value)) return null;
  const isLetter = phrase.trim().length === 1;
  const isNumber = number.test(value);
  const unit = unitNamed(phrase + exponent.replaceAll(/\s/g, ''));
  if (unit && !isLetter && /(?:[\d})]|\\pi|\d\s*[a-z])$/.test(value)) return { text: value, unit };
  if (unit && isLetter && !isMath && isNumber) {
    // `3m^2` is an area.
    const isApart = (phrase === 'm' && exponent !== '') || !text.includes(`${value.trim()}${phrase}`);
    return { text: value, unit: isApart ? unit : { ...unit, isLetter: true } };
  }
  const isWords = /^[A-Za-z]{3,}(?: [A-Za-z]{2,}){0,4}$/.test(phrase.trim());
  return isNumber &&
    isWords &&
    exponent === '' &&
    !/^(?:pi|percent|pct|percentage|and|sqrt|sin|cos|tan|log)/i.test(phrase)
    ? { text: value, unit: labelUnit(phrase) }
    : null;
}
