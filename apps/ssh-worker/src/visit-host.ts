import type { Collector, PullToRun } from '@plimsoll/db';
import { AddressError, type CheckedAddress } from '@plimsoll/outbound';
import { SecretsError } from '@plimsoll/secrets';
import { type CollectResult, collect, type ExpectedHostKey, hostKeyTypes, type KeyPair } from '@plimsoll/ssh';
import { withIdentities } from './open-identities.ts';
import { failed, type VisitContext, type VisitResult } from './visit-context.ts';

/**
 * Visits a host and collects its report: resolves its name once, connects only to allowed addresses, and sends the
 * collector that the host accepts. Rejects only with the signal's reason and for local faults.
 */
export async function visitHost(
  target: PullToRun,
  context: VisitContext,
  signal: AbortSignal,
): Promise<{ readonly result: VisitResult; readonly collectorPin: Buffer | null }> {
  let addresses: readonly CheckedAddress[];
  try {
    addresses = await context.addresses.resolve(target.hostname, signal);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return {
      result: failed(error.code, error.message, { mayHeal: error.code === 'dns_failed' }),
      collectorPin: target.collectorPin,
    };
  }
  try {
    return await withIdentities(context.ring, target.keyPairs, (identities) =>
      visitWithPin({ ...target, addresses, identities }, context, signal),
    );
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    // Sealed again since it was read: the next visit reads it again.
    const mayHeal = error.code === 'unknown_key';
    return { result: failed('internal', keyMessage(error), { mayHeal }), collectorPin: target.collectorPin };
  }
}

interface Visit extends PullToRun {
  readonly addresses: readonly CheckedAddress[];
  readonly identities: readonly KeyPair[];
}

/**
 * Sends the collector last known to be pinned by the host; if the host wants another one that is stored, repeats with
 * that.
 */
async function visitWithPin(visit: Visit, context: VisitContext, signal: AbortSignal) {
  const newest = await context.collectors.newest();
  if (newest === null) {
    const result = failed(
      'internal',
      'There is no collector yet: start the API, which keeps the ones that are sent.',
    );
    return { result, collectorPin: visit.collectorPin };
  }
  const wanted = visit.collectorPin === null ? null : await context.collectors.find(visit.collectorPin);
  const first = wanted ?? newest;
  const answer = await send(visit, first, context, signal);
  if (answer.kind !== 'pin') return outcomeOf(answer, first, visit);

  const collectorPin = Buffer.from(answer.sha256, 'hex');
  const pinned = await context.collectors.find(collectorPin);
  if (pinned === null) return { result: refused(answer), collectorPin };
  const second = await send(visit, pinned, context, signal);
  if (second.kind !== 'pin') return outcomeOf(second, pinned, visit);
  return { result: refused(second), collectorPin: Buffer.from(second.sha256, 'hex') };
}

function send(
  { addresses, port, user, identities, hostKeyType, hostKeyFingerprint }: Visit,
  collector: Collector,
  { limits, largeOutputs, startups }: VisitContext,
  signal: AbortSignal,
): Promise<CollectResult> {
  const sha256 = Buffer.from(collector.sha256).toString('hex');
  return collect(
    {
      addresses,
      port,
      user,
      identities,
      hostKey: expectedHostKey(hostKeyType, hostKeyFingerprint),
      collector: { script: collector.script, sha256 },
      limits,
    },
    { signal, largeOutputs, startups },
  );
}

/** A key type unknown to this version has to be detected. */
function expectedHostKey(type: string | null, fingerprint: string | null): ExpectedHostKey {
  if (fingerprint === null) return { kind: 'unknown' };
  const known = hostKeyTypes.find((name) => name === type);
  return known === undefined
    ? { kind: 'fingerprint', fingerprint }
    : { kind: 'pinned', type: known, fingerprint };
}

/** A host that ran the collector without a pinning line requires no particular collector. */
function outcomeOf(
  answer: Exclude<CollectResult, { kind: 'pin' }>,
  sent: Collector,
  { collectorPin }: Visit,
): { readonly result: VisitResult; readonly collectorPin: Buffer | null } {
  if (answer.kind === 'failed') return { result: answer, collectorPin };
  return { result: answer, collectorPin: answer.pinned ? Buffer.from(sent.sha256) : null };
}

function refused({ sha256, hostKey }: Extract<CollectResult, { kind: 'pin' }>): VisitResult {
  return failed(
    'collector_refused',
    `The host's authorized_keys allows only a collector that this installation never had (SHA-256 ${sha256}): put the line shown for this host in its place.`,
    { hostKey },
  );
}

function keyMessage({ message }: SecretsError): string {
  return `The key of this host cannot be opened: ${message.replace(/[.\s]+$/, '')}; see what ssh.sealing_keys_file of the ssh-worker names.`;
}
