import type { PlanEntry } from './plan-host.ts';

/** How a script recognises a host of a plan: empty fields are not compared. */
export interface CheckedIdentity {
  readonly machineId: string;
  readonly nodeName: string;
}

const validMachineId = /^[0-9a-f]{32}$/;
const validNodeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/**
 * The identities of a plan's hosts, by host id: the machine id and the name that `uname -n` prints, as far as they are
 * valid. Hosts without either, and hosts of which another host of the plan has the same, are missing.
 */
export function checkedIdentities(entries: readonly PlanEntry[]): ReadonlyMap<string, CheckedIdentity> {
  const found = new Map<string, CheckedIdentity>();
  const times = new Map<string, number>();
  for (const { host, identity } of entries) {
    const machineId = validMachineId.test(identity.machineId) ? identity.machineId : '';
    const nodeName = validNodeName.test(identity.nodeName) ? identity.nodeName : '';
    if (machineId === '' && nodeName === '') continue;
    found.set(host.host_id, { machineId, nodeName });
    const key = `${machineId} ${nodeName}`;
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return new Map(
    [...found].filter(([, { machineId, nodeName }]) => times.get(`${machineId} ${nodeName}`) === 1),
  );
}
