import type { Config } from '@plimsoll/config';
import type { UploadLimits } from '@plimsoll/db';

/**
 * The limits of uploads of one host, and of the new hosts of one registration token, from the configuration.
 */
export function uploadLimitsOf(config: Config): UploadLimits {
  return {
    burst: config['uploads.burst'],
    everySeconds: config['uploads.every_seconds'],
    bytesPerDay: config['uploads.mebibytes_per_day'] * 1024 * 1024,
    newEntriesPerDay: config['uploads.new_packages_per_day'],
    pending: {
      uploadsPerDay: config['uploads.pending_per_day'],
      bytesPerDay: config['uploads.pending_mebibytes_per_day'] * 1024 * 1024,
      newEntriesPerDay: config['uploads.pending_new_packages_per_day'],
    },
    approvedByToken: {
      bytesPerDay: config['uploads.token_mebibytes_per_day'] * 1024 * 1024,
      newEntriesPerDay: config['uploads.token_new_packages_per_day'],
    },
  };
}
