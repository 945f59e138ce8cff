import type { Client } from '@plimsoll/testing';
import { currentLogin, type TestSshd, waitFor } from '@plimsoll/testing';

/** The API's answer for a host that was just added or given a new key. */
export interface AddedHost {
  readonly host: { readonly id: string };
  readonly public_key: string;
  readonly authorized_keys_line: string;
}

/** A pull job in the API's form. */
export interface Pull {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly snapshot_id: string | null;
}

/** Adds a host that a test server represents. */
export async function addHost(
  client: Client,
  sshd: Pick<TestSshd, 'port'>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<AddedHost> {
  const { status, body } = await client.send('POST', '/hosts/ssh', {
    display_name: 'pulled',
    hostname: '127.0.0.1',
    port: sshd.port,
    ssh_user: currentLogin().user,
    ...fields,
  });
  if (status !== 201) throw new Error(`the host was not added: ${JSON.stringify(body)}`);
  return body as AddedHost; // the contract's tests check its form
}

/** Pulls a host now and waits for the end. */
export async function pullNow(client: Client, id: string): Promise<Pull> {
  const { body } = await client.send('POST', `/hosts/${id}/pull-now`, undefined, { prefer: 'wait=30' });
  let pull = body as Pull; // likewise
  // On a busy machine this may take longer than the API delays its answer.
  await waitFor('the end of a pull', async () => {
    pull = (await pullsOf(client, id)).find((job) => job.id === pull.id) ?? pull;
    return pull.status !== 'queued' && pull.status !== 'running';
  });
  return pull;
}

/** A host's last pulls, the newest first. */
export async function pullsOf(client: Client, id: string): Promise<readonly Pull[]> {
  return (await client.get(`/hosts/${id}/pull-jobs`)).body as Pull[]; // likewise
}
