import { z } from 'zod';
import { count, timestamp } from './field-types.ts';

const fingerprintText = z.string().describe('`SHA256:…`');

/** How a host is reached over ssh, and what is known of the keys on both sides. */
export const sshAccessSchema = z
  .strictObject({
    user: z.string(),
    port: z.int().min(1).max(65_535),
    frequency_minutes: count,
    pull_paused: z.boolean(),
    next_pull_at: timestamp.nullable().describe('When it is due; null while it is paused.'),
    failures: count.describe('Pulls that failed since the last one that succeeded.'),
    unique_key_pair: z.boolean(),
    public_key: z.string().describe('One OpenSSH `ssh-ed25519` line.'),
    public_key_fingerprint: fingerprintText,
    authorized_keys_line: z.string().describe('Always with the newest collector.'),
    collector_pin: z
      .string()
      .nullable()
      .describe('SHA-256 of the collector that the host lets run; null if it is not known to ask for one.'),
    collector_outdated: z
      .boolean()
      .describe('Whether that is an older collector than the one of `authorized_keys_line`.'),
    host_key_type: z
      .string()
      .nullable()
      .describe('Null until the host was seen, also where its fingerprint was given.'),
    host_key_fingerprint: fingerprintText.nullable(),
    host_key_pinned_at: timestamp.nullable(),
    other_host_key: z
      .strictObject({ type: z.string(), fingerprint: fingerprintText, seen_at: timestamp })
      .nullable()
      .describe('A key other than the pinned one that the host showed; accept-host-key takes it.'),
  })
  .meta({ id: 'SshAccess' });

/** What `sshAccessSchema` lets through. */
export type SshAccess = z.output<typeof sshAccessSchema>;
