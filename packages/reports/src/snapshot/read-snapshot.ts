import type { Snapshot } from '@plimsoll/model';
import { readHeader } from './decode-header.ts';
import { readObservation } from './decode-observation.ts';
import { decodePackages, decodeUpgrades } from './decode-packages.ts';
import { decodePlatform } from './decode-platform.ts';
import {
  decodeFailures,
  decodeModuleStreams,
  decodeRepositories,
  decodeSubscription,
} from './decode-repositories.ts';
import { decodeKernel, decodeServices } from './decode-running.ts';
import { FieldReader } from './field-reader.ts';
import type { Problems } from './problems.ts';
import type { SnapshotFields } from './snapshot-fields.ts';

/**
 * Builds a snapshot from a host's fields, from either upload form. Records violations in `problems`, with the names of
 * snapshot.proto and the positions in `message`. The result is not usable if errors were recorded.
 */
export function readSnapshot(message: SnapshotFields, receivedAt: Date, problems: Problems): Snapshot {
  const reader = new FieldReader(problems);
  const header = readHeader(message, receivedAt, reader);
  const platform = decodePlatform(message.platform, reader);
  const packages = decodePackages(message.packages, platform.osFamily, reader);
  if (packages.length === 0) problems.error('/packages', 'holds no package');
  return {
    ...header,
    platform,
    packages,
    upgrades: decodeUpgrades(message.upgradable, reader),
    kernel: decodeKernel(message.kernel, reader),
    services: decodeServices(message.services, reader),
    repositories: decodeRepositories(message.repositories, reader),
    moduleStreams: decodeModuleStreams(message.moduleStreams, reader),
    subscription: decodeSubscription(message.subscription, reader),
    failures: decodeFailures(message.failures, reader),
    observed: readObservation(message.observed, reader),
  };
}
