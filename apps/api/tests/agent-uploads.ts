import type { Response } from 'supertest';
import type { ApiUnderTest, EnrolledHost } from './api-under-test.ts';

/** The content type of a snapshot. */
export const protobuf = { 'Content-Type': 'application/x-protobuf' };

/** Uploads bytes as the agent of a host uploads a snapshot. */
export function uploadBytes(
  api: ApiUnderTest,
  host: EnrolledHost,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return api.post('/api/v1/agent/snapshots', {
    token: host.token,
    bytes,
    headers: { ...protobuf, ...headers },
  });
}
