import { maxUploadBytes } from '@plimsoll/model';
import {
  acceptedSnapshotSchema,
  agentConfigSchema,
  agentStatusSchema,
  enrolledSchema,
  finishedSnapshotSchema,
  registerHeadersSchema,
  registerSchema,
  uploadHeadersSchema,
} from '../agent.ts';
import { contentEncodings, json, jsonBody, operationsFor, shellScript } from '../operation.ts';

const { forHosts, forEveryone } = operationsFor('agent');

/** Operations of agents. */
export const agentOperations = {
  registerAgent: forEveryone('post', '/api/v1/agent/register', {
    summary: 'Enrol a host with a registration token',
    headers: registerHeadersSchema,
    body: jsonBody(registerSchema),
    responses: { 201: json(enrolledSchema, 'Enrolled; the host token is shown this once.') },
    errors: ['bad_request', 'unauthenticated', 'invalid_registration_token', 'rate_limited'],
    audit: ['host.enrolled'],
  }),
  uploadSnapshot: forHosts('post', '/api/v1/agent/snapshots', {
    summary: "Upload the host's patch state",
    headers: uploadHeadersSchema,
    body: {
      kind: 'bytes',
      contentTypes: ['application/x-protobuf'],
      encodings: contentEncodings,
      limitBytes: maxUploadBytes,
      comesAs: 'report',
      description: 'A Snapshot of proto/snapshot.proto.',
    },
    responses: {
      202: json(
        acceptedSnapshotSchema,
        "Stored and queued, or recognised as unchanged since the host's last upload.",
      ),
      200: json(finishedSnapshotSchema, 'Parsed and matched (`Prefer: wait`).'),
    },
    errors: ['bad_request', 'invalid_protobuf', 'snapshot_invalid', 'report_invalid', 'rate_limited'],
    waits: true,
    unaudited: 'Hosts report every hour: their uploads record the content and the result.',
  }),
  getAgentScript: forEveryone('get', '/api/v1/agent/script', {
    summary: 'The agent itself, a shell script',
    responses: { 200: shellScript('plimsoll-agent.') },
  }),
  getAgentConfig: forHosts('get', '/api/v1/agent/config', {
    summary: 'What an agent needs to know between reports',
    responses: { 200: json(agentConfigSchema, 'The configuration.') },
  }),
  getAgentStatus: forHosts('get', '/api/v1/agent/status', {
    summary: 'State of the newest report of the calling host',
    responses: { 200: json(agentStatusSchema, 'No findings: they are for users.') },
  }),
};
