/** Which client a reference needs. */
import { UserError } from '../../core/errors.ts';
import type { AocClient, Asking } from './client.ts';
import { createLocalClient } from './local-client.ts';
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

export function siteOf({ sites, files }: AocSettings, name: string): AocSite {
  const site = Object.hasOwn(sites, name) ? sites[name] : undefined;
  if (site) return site;
  const names = [...Object.keys(sites), ...(files ? [filesSite] : [])];
  throw new UserError({
    what: `There is no site named ${name}.`,
    fix: `Choose one of: ${names.join(', ')}.`,
  });
}
