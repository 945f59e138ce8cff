import { createCollectorStore, createPullRunStore, createUploadStore } from '@plimsoll/db';
import { maxUploadBytes } from '@plimsoll/model';
import { createSshAddressPolicy } from '@plimsoll/outbound';
import { type ProcessEnvironment, uploadLimitsOf } from '@plimsoll/process';
import { createKeyRing } from '@plimsoll/secrets';
import { createPlaces, createStartups } from '@plimsoll/ssh';
import { createLeases } from './leases.ts';
import type { PullContext } from './pull-handler.ts';
import { createPullMetrics } from './pull-metrics.ts';

/** The largest number of outputs over one mebibyte in memory at once, for any number of hosts. */
const largeOutputs = 4;
/** The largest number of connections to one server before login; by default sshd drops some from ten on. */
const startupsPerServer = 8;

/** The dependencies of pulls, from the configuration. Throws if no file with sealing keys is configured. */
export function openPullContext({ config, db, queue, metrics, log }: ProcessEnvironment): PullContext {
  const keysFile = config['ssh.sealing_keys_file'];
  if (keysFile === null) {
    throw new Error('ssh.sealing_keys_file is not set: without it no private key can be opened');
  }
  const runs = createPullRunStore(db);
  return {
    runs,
    leases: createLeases(runs, log),
    collectors: createCollectorStore(db),
    intake: { uploads: createUploadStore(db, uploadLimitsOf(config)), bell: queue },
    addresses: createSshAddressPolicy(config['ssh.allowed_networks']),
    ring: createKeyRing(keysFile),
    largeOutputs: createPlaces(largeOutputs),
    startups: createStartups(startupsPerServer),
    limits: {
      connectMs: config['ssh.connect_timeout_seconds'] * 1_000,
      totalMs: config['ssh.pull_timeout_seconds'] * 1_000,
      outputBytes: maxUploadBytes,
    },
    metrics: createPullMetrics(metrics),
    log,
  };
}
