/** Which client a reference needs. */
import { UserError } from '../../core/errors.ts';
import type { AocClient, Asking } from './client.ts';
import { createLocalClient } from './local-day.ts';
import { createSiteClient } from './site-client.ts';
import { type AocReference, type AocSettings, type AocSite, filesSite } from './sites.ts';

export function createClient(settings: AocSettings, reference: AocReference, asking: Asking): AocClient {
  return reference.site === filesSite && settings.files
    ? createLocalClient(settings.files, reference)
    : createSiteClient(siteOf(settings, reference.site), reference, {
        ...asking,
        hashText: settings.hashText,
      });
}

export function siteOf({ sites }: AocSettings, name: string): AocSite {
  const site = Object.hasOwn(sites, name) ? sites[name] : undefined;
  if (site) return site;
  throw new UserError({
    code: 'files-have-no-account',
    what: name === filesSite ? 'Files of your own belong to no site.' : `There is no site named ${name}.`,
    fix: `Choose one of: ${Object.keys(sites).join(', ')}.`,
  });
}
