import type { PlannedHost } from '@plimsoll/contract';
import type { MachineIdentity } from '@plimsoll/db';
import { machineKey } from '@plimsoll/model';
import { notCoveredWords } from '@plimsoll/words';
import type { Identity, PlanEntry } from './plan-host.ts';

/** By what scripts and playbooks recognise the machine of a host: all that is given must be equal. */
export interface CheckedIdentity {
  readonly machineId: string;
  /** As `uname -n` prints it; empty if it is not valid. */
  readonly nodeName: string;
}

/** Why scripts and playbooks leave a host out. */
export type NotCovered = NonNullable<PlannedHost['not_covered']>;

const validMachineId = /^[0-9a-f]{32}$/;
const validNodeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/**
 * How each host of a plan is recognised, by host id, or why it is not. A host is recognised by the machine id that it
 * had when it was added and that its newest report and the plan have; the host must be approved, and no other host may
 * have or claim the id. Its node name is compared as well, but is not enough: a host names itself.
 */
export function checkedIdentities(
  entries: readonly PlanEntry[],
  machines: readonly MachineIdentity[],
): ReadonlyMap<string, CheckedIdentity | NotCovered> {
  const known = new Map<string, MachineIdentity>(machines.map((machine) => [machine.hostId, machine]));
  return new Map<string, CheckedIdentity | NotCovered>(
    entries.map(({ host, identity }) => [host.host_id, checked(identity, known.get(host.host_id))]),
  );
}

function checked(planned: Identity, machine: MachineIdentity | undefined): CheckedIdentity | NotCovered {
  const code = obstacleOf(planned.machineId, machine);
  if (code !== null) return { code, detail: notCoveredWords[code] };
  return {
    machineId: planned.machineId,
    nodeName: validNodeName.test(planned.nodeName) ? planned.nodeName : '',
  };
}

function obstacleOf(planned: string, machine: MachineIdentity | undefined): NotCovered['code'] | null {
  if (machine?.approvalStatus !== 'approved') return 'not_approved';
  if (machine.reportedId === null) return 'no_report';
  if (!validMachineId.test(machine.reportedId)) return 'machine_id_missing';
  if (machine.isShared) return 'machine_id_shared';
  const isTheSame = machineKey(machine.machineId) === machine.reportedId && planned === machine.reportedId;
  return isTheSame ? null : 'machine_id_changed';
}
