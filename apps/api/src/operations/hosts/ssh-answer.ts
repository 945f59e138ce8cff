import type { SshAccess } from '@plimsoll/contract';
import type { HostOverview, SshTargetRow } from '@plimsoll/db';
import type { PulledCollector } from '../../scripts/host-scripts.ts';
import { keyLinesOf } from './key-lines.ts';

/** The SSH settings and state of a host. `collector` is the newest one. */
export function sshAnswer(host: HostOverview, target: SshTargetRow, collector: PulledCollector): SshAccess {
  const { otherHostKey } = target;
  const collectorPin = target.collectorPin?.toString('hex') ?? null;
  return {
    user: target.user,
    port: target.port,
    frequency_minutes: target.frequencyMinutes,
    pull_paused: target.pullPaused,
    next_pull_at: target.pullPaused ? null : target.nextPullAt.toISOString(),
    failures: target.failures,
    unique_key_pair: target.uniqueKeyPair,
    ...keyLinesOf(host, target, collector.sha256),
    collector_pin: collectorPin,
    collector_outdated: collectorPin !== null && collectorPin !== collector.sha256,
    host_key_type: target.hostKeyType,
    host_key_fingerprint: target.hostKeyFingerprint,
    host_key_pinned_at: target.hostKeyPinnedAt?.toISOString() ?? null,
    other_host_key:
      otherHostKey === null
        ? null
        : {
            type: otherHostKey.type,
            fingerprint: otherHostKey.fingerprint,
            seen_at: otherHostKey.seenAt.toISOString(),
          },
  };
}
