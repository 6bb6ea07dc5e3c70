/** The authorities that may sign a server's certificate: those of Node, and those of the user's file. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { UserError } from '../core/errors.ts';

/** Those of Node hold what NODE_EXTRA_CA_CERTS names. Undefined without a file: Node then takes its own. */
export function authorities(file: string | undefined): readonly string[] | undefined {
  if (file === undefined) return undefined;
  const text = readCertificates(file);
  const found = text.match(
    /-----BEGIN (TRUSTED )?CERTIFICATE-----[^-]+-----END (TRUSTED )?CERTIFICATE-----/g,
  );
  const unreadable = found?.find((certificate) => !isCertificate(certificate));
  if (!found || unreadable) {
    throw invalid(file, found ? 'One of its certificates cannot be read.' : 'It holds no certificate.');
  }
  return [...getCACertificates('default'), ...found];
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(file, error instanceof Error ? `${error.message}.` : undefined);
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

function invalid(file: string, why: string | undefined): UserError {
  return new UserError({
    code: 'ca-invalid',
    what: `The file that POLYA_CA names cannot be used: ${file}.`,
    why,
    fix: 'Name a file with certificates in PEM form (-----BEGIN CERTIFICATE-----), or unset POLYA_CA.',
  });
}
