import { AppError } from '@plimsoll/model';
import { validationFailed } from './field-errors.ts';

/** The query of a request, each parameter once. Throws `validation_failed` for a repeated one. */
export function readQuery(url: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = Object.create(null);
  const parameters = queryOf(url);
  const repeated = [...new Set(parameters.keys())].filter((name) => parameters.getAll(name).length > 1);
  if (repeated.length > 0) {
    throw validationFailed(
      repeated.map((name) => ({ pointer: `/${name}`, detail: 'is given more than once' })),
    );
  }
  for (const [name, value] of parameters) values[name] = value;
  return values;
}

const credentialNames = new Set(['token', 'access_token', 'jwt', 'authorization', 'bearer', 'api_key']);
const credentialValue = /^(pl[hr]_[\w-]{43}|eyJ[\w-]+\.[\w-]+\.[\w-]*)$/;

/**
 * Throws `unauthenticated` for a credential in the URL: URLs end up in logs, histories and referrers, so a credential
 * there must not work or appear to work.
 */
export function refuseCredentialInUrl(url: string): void {
  for (const [name, value] of queryOf(url)) {
    if (credentialNames.has(name.toLowerCase()) || credentialValue.test(value)) {
      throw new AppError(
        'unauthenticated',
        'Tokens are not accepted in URLs. Send the token in the Authorization header.',
      );
    }
  }
}

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}
