import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.ts';

/** How a checked connector connects. */
export interface ConnectorOptions {
  /** Servers that may have any address, because the operator chose them. */
  readonly isExempt?: (server: { readonly hostname: string; readonly port: string }) => boolean;
  /** Default: undici's own. */
  readonly connect?: buildConnector.connector;
}

/**
 * A connector for undici that resolves each name by the policy and connects only to the address that was checked.
 * Certificates are still checked against the name.
 */
export function checkedConnector(
  policy: AddressPolicy,
  { isExempt = () => false, connect = buildConnector({}) }: ConnectorOptions = {},
): buildConnector.connector {
  return (options, callback) => {
    if (isExempt(options)) {
      connect(options, callback);
      return;
    }
    policy.resolve(options.hostname).then(
      ([{ address }]) =>
        connect(
          { ...options, hostname: address, servername: options.servername ?? options.hostname },
          callback,
        ),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}
