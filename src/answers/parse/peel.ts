/** Takes units, currencies and "about" off a text, and says what was taken. It looks at words, not at mathematics. */
import type { Unit } from '../tree.ts';
import { currencySigns, labelUnit, unitNamed } from './units.ts';

export type Peeled = { readonly text: string; readonly unit: Unit | null };

const about = /^(?:\\approx|\\sim|approximately|approx\.?|about|roughly|around|~)\s*/i;
const lead = /^\\text\{[^{}]*\b(?:is|are|equals)\s*:?\s*\}\s*/;
const currency = String.raw`(?:\\\$|\$|€|£|¥|₹|USD|EUR|GBP)`;
const before = new RegExp(String.raw`^([-+]?)\s*(${currency})\s*(?=[-+\d.\\({])`);
const after = new RegExp(String.raw`(?<=[\d}).\s])\s*(${currency})$`);
const grouped =
  /^(.*?\S)\s*(?:\\cdot\s*)?\\(?:text(?:rm|bf|it|sf|normal)?|mbox|hbox|mathrm|operatorname)\s*\{([^{}]*)\}\s*(\^\s*\{?\s*[23]\s*\}?)?$/;
const twoGroups =
  /^(.*?\S)\s*\\(?:text(?:rm)?|mbox|mathrm)\s*\{([^{}]*)\}\s*(\^\s*\{?\s*[23]\s*\}?)?\s*\/\s*\\(?:text(?:rm)?|mbox|mathrm)\s*\{([^{}]*)\}\s*(\^\s*\{?\s*[23]\s*\}?)?$/;
const temperature = /^(.*?)\s*\^\s*\{?\s*\\circ\s*\}?\s*(?:\\(?:text|mathrm)\s*\{\s*)?([CF])\s*\}?$/;
const spoken = /^(.*?[\d})])\s*([A-Za-z][A-Za-z ./]*[A-Za-z]|[A-Za-z])\s*(\^\s*\{?\s*[23]\s*\}?)?$/;
const number = /^[-+]?[\d.,\s\ue001\ue002/]*\d[\d.,\s\ue001\ue002]*$/;
const connectors = /^\s*(?:,\s*)?(?:and|or|if|where|for|mod)\b/i;

export function peel(text: string, isMath: boolean): Peeled {
  const shorter = text.replace(lead, '').replace(about, '');
  const [, sign = '', money] = before.exec(shorter) ?? [];
  if (money) {
    const rest = peel(sign + shorter.replace(before, ''), isMath);
    return { text: rest.text, unit: rest.unit ?? unitNamed(currencySigns[money] ?? '') };
  }
  const late = after.exec(shorter)?.[1];
  if (late) return { text: shorter.replace(after, '').trim(), unit: unitNamed(currencySigns[late] ?? '') };
  return (
    temperatureOf(shorter) ??
    unitInGroup(shorter) ??
    unitInWords(shorter, isMath) ?? { text: shorter, unit: null }
  );
}

function temperatureOf(text: string): Peeled | null {
  const [, value, scale] = temperature.exec(text) ?? [];
  if (value === undefined || !scale) return null;
  return { text: value, unit: unitNamed(scale === 'C' ? 'celsius' : 'fahrenheit') };
}

/** `15 \text{ cm}^2`, `60 \text{ km}/\text{h}`, `12 \text{ apples}`. */
function unitInGroup(text: string): Peeled | null {
  const two = twoGroups.exec(text);
  if (two) {
    const unit = unitNamed(`${two[2]}${two[3] ?? ''}/${two[4]}${two[5] ?? ''}`);
    if (unit) return { text: two[1] ?? '', unit };
  }
  const [, value = '', phrase = '', exponent = ''] = grouped.exec(text) ?? [];
  if (!/[\da-zA-Z})]$/.test(value) || connectors.test(phrase) || !isPhrase(phrase)) return null;
  const unit = unitNamed(phrase + exponent.replaceAll(/\s/g, ''));
  if (unit) return { text: value, unit };
  return /[A-Za-z]{2}/.test(phrase) && /[\d}]$/.test(value) ? { text: value, unit: labelUnit(phrase) } : null;
}

function isPhrase(phrase: string): boolean {
  return /^[\sA-Za-z./^\d-]+$/.test(phrase) && /[A-Za-z]/.test(phrase) && !/^\s*[A-Z]\s*$/.test(phrase);
}

/** Plain words after a number. A single letter is a variable where the text is mathematics. */
function unitInWords(text: string, isMath: boolean): Peeled | null {
  const [, value = '', phrase = '', exponent = ''] = spoken.exec(text) ?? [];
  if (!phrase || connectors.test(phrase) || /\\[a-zA-Z]*$/.test(value)) return null;
  const isLetter = phrase.trim().length === 1;
  const isNumber = number.test(value);
  const unit = unitNamed(phrase + exponent.replaceAll(/\s/g, ''));
  if (unit && !isLetter && /[\d})]$/.test(value)) return { text: value, unit };
  if (unit && isLetter && !isMath && isNumber) return { text: value, unit };
  const isWords = /^[A-Za-z]{3,}(?: [A-Za-z]{2,}){0,4}$/.test(phrase.trim());
  return isNumber &&
    isWords &&
    exponent === '' &&
    !/^(?:pi|percent|pct|percentage|and|sqrt|sin|cos|tan|log)/i.test(phrase)
    ? { text: value, unit: labelUnit(phrase) }
    : null;
}
