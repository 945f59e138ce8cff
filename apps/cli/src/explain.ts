import { ConfigError } from '@plimsoll/config';
import { EmbeddedError } from '@plimsoll/embedded';
import { withoutCredentials } from '@plimsoll/model';
import { SecretsError } from '@plimsoll/secrets';
import { TlsError } from '@plimsoll/tls';
import { StartError } from './service/start-error.ts';

/**
 * The message for an error: its sentence if it is meant for users, otherwise all details without the credentials in its
 * URLs.
 */
export function explain(error: unknown): string {
  const isForPeople =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof SecretsError ||
    error instanceof TlsError;
  if (isForPeople) return error.message;
  if (error instanceof EmbeddedError) return `Plimsoll cannot start: ${error.message}`;
  return withoutCredentials(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
