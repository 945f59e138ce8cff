import { z } from 'zod';
import { text } from './field-types.ts';
import { hostSchema } from './host.ts';
import { hostname } from './hostname.ts';
import { fingerprint, frequencyMinutes, port, sshUser } from './ssh-fields.ts';

/** A host to be pulled. */
export const newSshHostSchema = z.strictObject({
  display_name: text(1, 200),
  hostname,
  ssh_user: sshUser,
  frequency_minutes: frequencyMinutes.default(60),
  unique_key_pair: z
    .boolean()
    .default(false)
    .describe('Whether the host gets a key pair of its own instead of the one that all others share.'),
  port: port.default(22),
  host_key_fingerprint: fingerprint
    .optional()
    .describe("The host's key. Missing: the first one seen is pinned."),
});

/** What lets the service in, for the authorized_keys of the host. */
export const sshHostKeysSchema = z
  .strictObject({
    host: hostSchema,
    public_key: z.string().describe('One OpenSSH `ssh-ed25519` line.'),
    public_key_fingerprint: z.string(),
    authorized_keys_line: z
      .string()
      .describe('The key with `restrict` and a forced command that runs nothing but the collector.'),
  })
  .meta({ id: 'SshHostKeys' });

/** What `sshHostKeysSchema` lets through. */
export type SshHostKeys = z.output<typeof sshHostKeysSchema>;
