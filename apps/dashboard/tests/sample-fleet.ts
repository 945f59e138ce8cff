import { randomBytes } from 'node:crypto';
import { type Client, type EnrolledHost, waitFor } from '@plimsoll/testing';
import type { DashboardUnderTest } from './dashboard-under-test.ts';
import { sampleEpssFeed, sampleKevFeed, sampleOsvFeed } from './sample-feeds.ts';
import { upToDateMachine, vulnerableMachine } from './sample-machines.ts';
import { sampleReport } from './sample-report.ts';

/** A small fleet of Debian 12 hosts, created through the API. */
export interface SampleFleet {
  readonly client: Client;
  /** `web-1`, tagged `web`: findings of every severity and fix state, see `vulnerableMachine`. */
  readonly vulnerable: EnrolledHost;
  /** `db-1`: nothing to do. */
  readonly upToDate: EnrolledHost;
  /** `lab-1`: not approved. */
  readonly pending: EnrolledHost;
  /** `Office printer`: a manual host with the report of a real machine; curl is critical. */
  readonly manual: { readonly id: string };
}

/** Creates the fleet on a new service with running workers; sets the service up if necessary. */
export async function makeSampleFleet(dashboard: DashboardUnderTest): Promise<SampleFleet> {
  const client = await dashboard.setUp();
  await importSampleFeeds(dashboard, client);
  const machineIds = Array.from({ length: 3 }, () => randomBytes(16).toString('hex'));
  const [first = '', second = '', third = ''] = machineIds;
  const vulnerable = await client.enrol('web-1', first);
  await client.send('PATCH', `/hosts/${vulnerable.id}`, { tags: ['web'] });
  await client.upload(vulnerable.token, vulnerableMachine('web-1', first));
  const upToDate = await client.enrol('db-1', second);
  await client.upload(upToDate.token, upToDateMachine('db-1', second));
  const pending = await enrolPending(client, 'lab-1');
  const manual = textField(
    (await client.send('POST', '/hosts/manual', { display_name: 'Office printer', hostname: 'printer' }))
      .body,
    'id',
  );
  await uploadReport(dashboard, client, manual, sampleReport({ machineId: third }));
  for (const id of [vulnerable.id, upToDate.id, manual]) await matched(client, id);
  return { client, vulnerable, upToDate, pending, manual: { id: manual } };
}

/** Imports Debian's records, CISA's catalog and EPSS. */
export async function importSampleFeeds(dashboard: DashboardUnderTest, client: Client): Promise<void> {
  const files = { osv: sampleOsvFeed(), kev: sampleKevFeed(), epss: sampleEpssFeed() };
  for (const [format, file] of Object.entries(files)) {
    const response = await fetch(`${dashboard.service.url}/api/v1/feeds/import?format=${format}`, {
      method: 'POST',
      headers: {
        authorization: client.authorization,
        'content-type': 'application/octet-stream',
        prefer: 'wait=30',
      },
      body: new Uint8Array(file),
    });
    const said = await response.text();
    if (response.status !== 200) throw new Error(`import of ${format}: ${response.status} ${said}`);
  }
}

/** Enrols a host that is not approved. */
export async function enrolPending(
  client: Client,
  hostname: string,
  machineId = randomBytes(16).toString('hex'),
): Promise<EnrolledHost> {
  const issued = await client.send('POST', '/registration-tokens', { name: hostname, auto_approve: false });
  const { body } = await client.send('POST', '/agent/register', {
    registration_token: textField(issued.body, 'token'),
    hostname,
    machine_id: machineId,
  });
  return { id: textField(body, 'host_id'), token: textField(body, 'host_access_token') };
}

/** Uploads a collector's report and waits until it is matched. */
export async function uploadReport(
  dashboard: DashboardUnderTest,
  client: Client,
  hostId: string,
  report: string,
): Promise<void> {
  const response = await fetch(`${dashboard.service.url}/api/v1/hosts/${hostId}/report`, {
    method: 'POST',
    headers: { authorization: client.authorization, 'content-type': 'text/plain', prefer: 'wait=30' },
    body: report,
  });
  const said = await response.text();
  if (response.status !== 200) throw new Error(`the report: ${response.status} ${said}`);
}

/** Waits until the newest upload of a host is matched. */
export async function matched(client: Client, hostId: string): Promise<void> {
  await waitFor(`the upload of host ${hostId} to be matched`, async () => {
    const uploads = (await client.get(`/hosts/${hostId}/uploads`)).body as readonly { state: string }[]; // the contract's type
    return uploads[0]?.state === 'matched';
  });
}

function textField(body: unknown, name: string): string {
  const value =
    typeof body === 'object' && body !== null
      ? Object.entries(body).find(([key]) => key === name)?.[1]
      : undefined;
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(body)}`);
  return value;
}
