import type { Client, EnrolledHost } from '@plimsoll/testing';
import { waitFor } from '@plimsoll/testing';

/** An upload in the answers of the API. */
export interface Upload {
  readonly id: string;
  readonly state: string;
}

/** Sends and follows the uploads of hosts. */
export interface Uploads {
  /** The newest 1,000 uploads of a host, newest first. */
  of(hostId: string): Promise<readonly Upload[]>;
  /** Sends a snapshot as a host; the id of the upload. */
  send(host: EnrolledHost, snapshot: Uint8Array): Promise<string>;
  /** Waits until an upload is matched, rejected or superseded. */
  ended(hostId: string, uploadId: string): Promise<Upload>;
}

/** Uploads through a service's API. */
export function uploadsThrough(client: Client): Uploads {
  const of = async (hostId: string) =>
    (await client.get(`/hosts/${hostId}/uploads?limit=1000`)).body as Upload[];
  return {
    of,
    async send(host, snapshot) {
      const { status, body } = await client.upload(host.token, snapshot);
      expect(status).toBe(202);
      return (body as { snapshot_id: string }).snapshot_id;
    },
    async ended(hostId, uploadId) {
      let upload: Upload | undefined;
      await waitFor(`upload ${uploadId} to reach an end`, async () => {
        upload = (await of(hostId)).find(({ id }) => id === uploadId);
        return upload !== undefined && ['matched', 'rejected', 'superseded'].includes(upload.state);
      });
      if (upload === undefined) throw new Error('the upload is not listed');
      return upload;
    },
  };
}
