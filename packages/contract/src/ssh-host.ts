import { z } from 'zod';
import { count, id, text } from './field-types.ts';
import { hostSchema, newExposure, newTags } from './host.ts';
import { hostname } from './hostname.ts';
import { fingerprint, frequencyMinutes, port, sshUser } from './ssh-fields.ts';

/** A new host to pull. */
export const newSshHostSchema = z.strictObject({
  display_name: text(1, 200),
  hostname,
  tags: newTags,
  exposure: newExposure,
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

/** The most hosts that one request adds. */
const mostNewHosts = 200;

/** Hosts to pull, added together or not at all. */
export const newSshHostsSchema = z.strictObject({
  hosts: z.array(newSshHostSchema).min(1).max(mostNewHosts),
  existing: z
    .enum(['refuse', 'skip'])
    .default('refuse')
    .describe('What to do with a host whose address, port and user another pulled host has already.'),
  check_only: z.boolean().default(false).describe('Only checks the hosts and adds none.'),
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

export type SshHostKeys = z.output<typeof sshHostKeysSchema>;

/** Hosts that were added together. */
export const sshHostsAnswerSchema = z
  .strictObject({
    hosts: z
      .array(
        z.strictObject({
          index: count.describe('Its place in the request.'),
          id,
          display_name: z.string(),
          hostname: z.string(),
          authorized_keys_line: z
            .string()
            .describe('As for a single host; equal for hosts with the shared key.'),
        }),
      )
      .describe('Empty with `check_only`.'),
    skipped: z.array(
      z.strictObject({
        index: count,
        host_id: id.describe('The host that is there already.'),
        display_name: z.string(),
      }),
    ),
    shared_authorized_keys_line: z
      .string()
      .nullable()
      .describe('One line for all hosts without a key pair of their own; null if there are none.'),
  })
  .meta({ id: 'SshHosts' });

export type SshHostsAnswer = z.output<typeof sshHostsAnswerSchema>;
