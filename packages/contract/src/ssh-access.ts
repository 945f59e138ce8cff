import { z } from 'zod';
import { count, timestamp } from './field-types.ts';

const fingerprintText = z.string().describe('`SHA256:…`');

/** SSH access to a host, and the known keys of both sides. */
export const sshAccessSchema = z
  .strictObject({
    user: z.string(),
    port: z.int().min(1).max(65_535),
    frequency_minutes: count,
    pull_paused: z.boolean(),
    next_pull_at: timestamp.nullable().describe('When the next pull is due; null while paused.'),
    failures: count.describe('Failed pulls since the last successful one.'),
    unique_key_pair: z.boolean(),
    public_key: z.string().describe('One OpenSSH `ssh-ed25519` line.'),
    public_key_fingerprint: fingerprintText,
    authorized_keys_line: z.string().describe('Always with the newest collector.'),
    collector_pin: z
      .string()
      .nullable()
      .describe('SHA-256 of the collector that the host allows; null if unknown.'),
    collector_outdated: z
      .boolean()
      .describe('Whether the pinned collector is older than the one in `authorized_keys_line`.'),
    host_key_type: z
      .string()
      .nullable()
      .describe('Null until the first connection, even if the fingerprint was given.'),
    host_key_fingerprint: fingerprintText.nullable(),
    host_key_pinned_at: timestamp.nullable(),
    other_host_key: z
      .strictObject({ type: z.string(), fingerprint: fingerprintText, seen_at: timestamp })
      .nullable()
      .describe('A key other than the pinned one that the host presented; accept-host-key pins it.'),
  })
  .meta({ id: 'SshAccess' });

export type SshAccess = z.output<typeof sshAccessSchema>;
