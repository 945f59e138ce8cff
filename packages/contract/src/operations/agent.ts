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
import { contentEncodings, defineOperation, json, jsonBody, shellScript } from '../operation.ts';

/** Operations of agents. */
export const agentOperations = {
  registerAgent: defineOperation({
    method: 'post',
    path: '/api/v1/agent/register',
    summary: 'Enrol a host with a registration token',
    tag: 'agent',
    auth: 'none',
    headers: registerHeadersSchema,
    body: jsonBody(registerSchema),
    responses: { 201: json(enrolledSchema, 'Enrolled; the host token is shown this once.') },
    errors: ['bad_request', 'unauthenticated', 'invalid_registration_token', 'rate_limited'],
    audit: ['host.enrolled'],
  }),
  uploadSnapshot: defineOperation({
    method: 'post',
    path: '/api/v1/agent/snapshots',
    summary: "Upload the host's patch state",
    tag: 'agent',
    auth: 'host',
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
  getAgentScript: defineOperation({
    method: 'get',
    path: '/api/v1/agent/script',
    summary: 'The agent itself, a shell script',
    tag: 'agent',
    auth: 'none',
    responses: { 200: shellScript('plimsoll-agent.') },
  }),
  getAgentConfig: defineOperation({
    method: 'get',
    path: '/api/v1/agent/config',
    summary: 'What an agent needs to know between reports',
    tag: 'agent',
    auth: 'host',
    responses: { 200: json(agentConfigSchema, 'The configuration.') },
  }),
  getAgentStatus: defineOperation({
    method: 'get',
    path: '/api/v1/agent/status',
    summary: 'State of the newest report of the calling host',
    tag: 'agent',
    auth: 'host',
    responses: { 200: json(agentStatusSchema, 'No findings: they are for users.') },
  }),
};
