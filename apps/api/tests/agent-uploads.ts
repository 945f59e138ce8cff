import { once } from 'node:events';
import http from 'node:http';
import type { UploadId } from '@plimsoll/model';
import type { Response } from 'supertest';
import type { ApiUnderTest, EnrolledHost } from './api-under-test.ts';
import { parseAndMatch } from './pipeline.ts';
import { sampleSnapshot } from './sample-snapshot.ts';

/** The content type of a snapshot. */
export const protobuf = { 'Content-Type': 'application/x-protobuf' };

/** Uploads bytes as the agent of a host uploads a snapshot. */
export function uploadBytes(
  api: ApiUnderTest,
  host: Pick<EnrolledHost, 'token'>,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return api.post('/api/v1/agent/snapshots', {
    token: host.token,
    bytes,
    headers: { ...protobuf, ...headers },
  });
}

/** Fields of a snapshot, in the form of the message's init. */
export type SnapshotChanges = NonNullable<Parameters<typeof sampleSnapshot>[0]>;

/** Sends a snapshot of a host that says something new, and matches it; returns its id. */
export async function sendSnapshot(
  api: ApiUnderTest,
  host: EnrolledHost,
  changes: SnapshotChanges = {},
): Promise<UploadId> {
  const { status, body } = await uploadBytes(api, host, sampleSnapshot(changes));
  expect(status).toBe(202);
  await parseAndMatch(api.database, [body.snapshot_id]);
  return body.snapshot_id;
}

/** The platform of a host with rpm. */
export const rpmPlatform = (osId: string, release: string, hostname: string) => ({
  osFamily: 'rpm',
  osId,
  osVersionId: release,
  osVersion: release,
  architecture: 'x86_64',
  hostname,
  machineId: `machine-of-${hostname}`,
});

/**
 * Announces an upload of so many bytes, and sends none of them. Resolves to the status of the answer; null: the server told
 * to send them, as `upload`.
 */
export async function announceUpload(
  api: ApiUnderTest,
  host: Pick<EnrolledHost, 'token'>,
  bytes: number,
): Promise<{ readonly upload: http.ClientRequest; readonly status: number | null }> {
  const upload = http.request(`${api.url}/api/v1/agent/snapshots`, {
    method: 'POST',
    headers: {
      ...protobuf,
      Authorization: `Bearer ${host.token}`,
      'Content-Length': bytes,
      Expect: '100-continue',
    },
  });
  upload.on('error', () => undefined); // the expected end of a refused one
  upload.flushHeaders();
  const status = await Promise.race([
    once(upload, 'response').then(([response]: http.IncomingMessage[]) => response?.statusCode ?? null),
    once(upload, 'continue').then(() => null),
  ]);
  if (status !== null) upload.destroy();
  return { upload, status };
}
