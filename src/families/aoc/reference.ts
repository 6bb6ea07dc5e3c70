/** A reference as it comes from outside, checked and with its language under its one name. Knows no calendar. */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { findLanguage, languageIds } from './languages.ts';
import type { AocReference } from './sites.ts';

const shape = z.strictObject({
  site: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'is no name of a site'),
  year: z.int(),
  day: z.int(),
  lang: z.string(),
  // A part of the cache's file names.
  user: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'up to 40 letters, digits, - and _ may be used')
    .optional(),
  seed: z.int().optional(),
});

export function parseReference(json: Json): AocReference {
  const parsed = shape.safeParse(json);
  if (!parsed.success) {
    throw new UserError({
      what: 'This does not refer to an Advent of Code puzzle.',
      why: z.prettifyError(parsed.error),
      fix: 'Give site, year, day and lang, and user and seed if you like.',
    });
  }
  const { site, year, day, user, seed } = parsed.data;
  const lang = findLanguage(parsed.data.lang);
  if (!lang) {
    throw new UserError({
      what: `${JSON.stringify(parsed.data.lang)} is not a language that Polya runs.`,
      fix: `Choose one of: ${languageIds.join(', ')}.`,
    });
  }
  return {
    site,
    year,
    day,
    lang,
    ...(user === undefined ? {} : { user }),
    ...(seed === undefined ? {} : { seed }),
  };
}
