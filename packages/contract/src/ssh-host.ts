import { z } from 'zod';
import { text } from './field-types.ts';
import { hostSchema, newTags } from './host.ts';
import { hostname } from './hostname.ts';
import { fingerprint, frequencyMinutes, port, sshUser } from './ssh-fields.ts';

/** A new host to pull. */
export const newSshHostSchema = z.strictObject({
  display_name: text(1, 200),
  hostname,
  tags: newTags,
  ssh_user: sshUser,
  frequency_minutes: frequencyMinutes.default(60),
  unique_key_pair: z
    .boolean()
    .default(false)
    .describe(
      'Whether the host gets its own key pair instead of the shared one. It always does if the caller is limited to tags.',
    ),
  port: port.default(22),
  host_key_fingerprint: fingerprint
    .optional()
    .describe("The host's key. Default: the first key seen is pinned."),
});

/** The keys to add to the host's authorized_keys. */
export const sshHostKeysSchema = z
  .strictObject({
    host: hostSchema,
    public_key: z.string().describe('One OpenSSH `ssh-ed25519` line.'),
    public_key_fingerprint: z.string(),
    authorized_keys_line: z
      .string()
      .describe('The key with `restrict` and a forced command that runs only the collector.'),
  })
  .meta({ id: 'SshHostKeys' });

/** Parsed value of `sshHostKeysSchema`. */
export type SshHostKeys = z.output<typeof sshHostKeysSchema>;
