import { z } from 'zod';
import { id } from '../field-types.ts';
import { hostDetailSchema } from '../host.ts';
import { json, jsonBody, operationsFor, restingOnKev, shellScript } from '../operation.ts';
import { pullJobSchema } from '../pull-job.ts';
import { fingerprint } from '../ssh-fields.ts';
import { newSshHostSchema, newSshHostsSchema, sshHostKeysSchema, sshHostsAnswerSchema } from '../ssh-host.ts';

const { forViewers, forOperators, forAdmins } = operationsFor('ssh');

const hostParams = z.strictObject({ id });

/** Operations on hosts that are pulled over ssh. */
export const sshOperations = {
  createSshHost: forOperators('post', '/api/v1/hosts/ssh', {
    summary: 'Add a host that is pulled over ssh',
    body: jsonBody(newSshHostSchema),
    responses: { 201: json(sshHostKeysSchema, 'The host, approved, and what its authorized_keys needs.') },
    audit: ['host.created', 'ssh.key_created'],
  }),
  createSshHosts: forOperators('post', '/api/v1/hosts/ssh/batch', {
    summary: 'Add up to 200 hosts that are pulled over ssh: all of them, or none if one is not valid',
    // A host with its longest names and 50 tags has 6 KB; most have less than 300 bytes.
    body: jsonBody(newSshHostsSchema, 512 * 1024),
    responses: {
      201: json(sshHostsAnswerSchema, 'The hosts, approved, and what their authorized_keys need.'),
      200: json(sshHostsAnswerSchema, 'All are valid (`check_only`).'),
    },
    audit: ['host.created', 'ssh.key_created'],
  }),
  pullHostNow: forOperators('post', '/api/v1/hosts/{id}/pull-now', {
    summary: 'Pull a host now; answers with a pull that is already queued or running',
    params: hostParams,
    responses: {
      202: json(pullJobSchema, 'Queued or running.'),
      200: json(pullJobSchema, 'Ended, well or not (`Prefer: wait`).'),
    },
    errors: ['not_an_ssh_host', 'not_approved', 'host_retired'],
    waits: true,
    audit: ['pull.requested'],
  }),
  listPullJobs: forViewers('get', '/api/v1/hosts/{id}/pull-jobs', {
    summary: 'The last ten pulls of a host, newest first',
    params: hostParams,
    responses: { 200: json(z.array(pullJobSchema), 'The pulls; hosts that are not pulled are omitted.') },
  }),
  acceptHostKey: forAdmins('post', '/api/v1/hosts/{id}/ssh/accept-host-key', {
    summary: "Pin another key as the host's; the only way to a changed host key",
    recent: true,
    params: hostParams,
    body: jsonBody(z.strictObject({ fingerprint })),
    responses: { 200: restingOnKev(json(hostDetailSchema, 'The host as it is now.')) },
    errors: ['not_an_ssh_host'],
    audit: ['ssh.host_key_accepted'],
  }),
  rotateSshKey: forOperators('post', '/api/v1/hosts/{id}/ssh/rotate-key', {
    summary: 'Create a key pair for one host; the old one is also tried until the new one has worked',
    params: hostParams,
    responses: {
      200: restingOnKev(json(sshHostKeysSchema, 'The host, and what its authorized_keys needs from now on.')),
    },
    errors: ['not_an_ssh_host'],
    audit: ['ssh.key_rotated'],
  }),
  getCollector: forViewers('get', '/api/v1/collectors/{sha256}', {
    summary: 'A collector that lines in authorized_keys name by its hash',
    params: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/i) }),
    responses: { 200: shellScript('The script whose SHA-256 this is.') },
  }),
};
