import { randomBytes } from 'node:crypto';
import type { UploadId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import type { Response } from 'supertest';
import { uploadBytes } from './agent-uploads.ts';
import type { ApiUnderTest } from './api-under-test.ts';
import { parseAndMatch } from './pipeline.ts';

/** How to send a report. */
export interface Sending {
  /** Including the question mark. */
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

/** Hosts of an API under test, and their uploads. */
export interface Fleet {
  /** Adds a manual host. */
  addHost(): Promise<string>;
  hostOf(id: string): Promise<Response['body']>;
  uploadsOf(id: string): Promise<Response['body']>;
  reportOf(id: string, reportId: string): Promise<Response['body']>;
  /** Uploads a manual report. */
  send(hostId: string, report: string | Uint8Array, sending?: Sending): Promise<Response>;
  /** Uploads a report and waits for its result, while the test does the workers' work. */
  sendAndWait(hostId: string, report: string, sending?: Sending): Promise<Response>;
  /** Sends a snapshot as the host's agent; returns its id. */
  byAgent(hostToken: string, snapshot: Uint8Array): Promise<UploadId>;
}

/** A new machine id. */
export function newMachineId(): string {
  return randomBytes(16).toString('hex');
}

/** The fleet of an API, as its admin sees it. */
export function fleetOf(api: ApiUnderTest): Fleet {
  let hosts = 0;
  const read = async (path: string) => (await api.admin.get(`/api/v1/hosts/${path}`)).body;
  const uploadsOf: Fleet['uploadsOf'] = (id) => read(`${id}/uploads`);
  const send: Fleet['send'] = (hostId, report, { query = '', headers = {} } = {}) =>
    api.admin.post(`/api/v1/hosts/${hostId}/report${query}`, {
      bytes: Buffer.from(report),
      headers: { 'Content-Type': 'text/plain', ...headers },
    });
  return {
    async addHost() {
      hosts += 1;
      const json = { display_name: `Printer ${hosts}`, hostname: `printer-${hosts}.example.org` };
      const answer = await api.admin.post('/api/v1/hosts/manual', { json });
      expect(answer.status).toBe(201);
      return answer.body.id;
    },
    hostOf: read,
    uploadsOf,
    reportOf: (id, reportId) => read(`${id}/reports/${reportId}`),
    send,
    async sendAndWait(hostId, report, sending = {}) {
      const before = (await uploadsOf(hostId)).length;
      const work = waitFor('the report to be there', async () => {
        const ids = (await uploadsOf(hostId)).map(({ id }: { id: UploadId }) => id);
        if (ids.length === before) return false;
        await parseAndMatch(api.database, ids);
        return true;
      });
      const answer = await send(hostId, report, { ...sending, headers: { Prefer: 'wait=20' } });
      await work;
      return answer;
    },
    async byAgent(hostToken, snapshot) {
      const { status, body } = await uploadBytes(api, { token: hostToken }, snapshot);
      expect(status).toBe(202);
      return body.snapshot_id;
    },
  };
}
