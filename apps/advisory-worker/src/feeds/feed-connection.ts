import { AddressError, type AddressPolicy } from '@plimsoll/outbound';
import { Agent, buildConnector } from 'undici';

/**
 * Connections for fetching from `origin`. Its host is the operator's own choice and may be anywhere; every other, to which
 * it redirects, must be allowed by `policy`. Destroy it when done.
 */
export function createFeedAgent(origin: URL, policy: AddressPolicy): Agent {
  return new Agent({ connect: checkedConnector(origin, policy) });
}

/** Connects to an address that was checked, and to no other. */
function checkedConnector(origin: URL, policy: AddressPolicy): buildConnector.connector {
  const connect = buildConnector({});
  return (options, callback) => {
    const isOrigin = options.hostname === origin.hostname && (options.port || '') === origin.port;
    if (isOrigin) {
      connect(options, callback);
      return;
    }
    policy.resolve(options.hostname).then(
      // The name stays what the certificate is checked against.
      ([first]) =>
        connect(
          { ...options, hostname: first.address, servername: options.servername ?? options.hostname },
          callback,
        ),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** The policy's refusal among the causes of an error; null where there is none. */
export function findAddressError(error: unknown): AddressError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AddressError) return cause;
  return null;
}
