import { packageSpecs } from '@plimsoll/advisories';
import { hostCount } from '@plimsoll/model';
import { stringify } from 'yaml';
import { namedByCommand } from '../plan/plan-commands.ts';
import { hasPlaybook, moduleOf, type UpgradeModule } from './ansible-modules.ts';
import { evidenceHosts, evidenceWords } from './evidence-words.ts';
import type { RecognisedPlan } from './plan-content.ts';
import type { PlanEntry, PlanOptions } from './plan-host.ts';
import type { CheckedIdentity, NotCovered } from './plan-identities.ts';

/**
 * A plan as an Ansible playbook: one play for each host with something to do, under its name in GET
 * /inventory/ansible. Every play first compares the machine id and the name of the machine, because a host that calls
 * itself like a group would otherwise be all hosts of the group. Ansible evaluates templates in all values: it contains
 * no texts of hosts but inventory names, valid machine names, and names and versions that package managers accept.
 */
export function* planPlaybook(content: RecognisedPlan): Iterable<string> {
  const { entries, identities, inventoryNames, madeAt, options } = content;
  const parts = entries.map((entry) => {
    const { host_id: id } = entry.host;
    return playOf(entry, { identity: identities.get(id), name: inventoryNames.get(id) }, options);
  });
  const leftOut = entries.filter((_, n) => parts[n] === null);
  yield `# A plan of Plimsoll, made ${madeAt.toISOString()}: ${entries.length - leftOut.length} of ${hostCount(entries.length)}.\n`;
  const withEvidence = entries.filter(
    ({ forensicsFirst }, n) => parts[n] !== null && forensicsFirst.length > 0,
  );
  for (const { host } of withEvidence) yield `# Evidence is to be taken first: ${host.host_id}\n`;
  for (const { host } of leftOut)
    yield `# ${reasonOf(host, identities.get(host.host_id))}: ${host.host_id}\n`;
  const needed = entries
    .filter((_, n) => parts[n] !== null)
    .map(({ host: { package_manager: manager } }) =>
      manager === null ? null : (moduleOf(manager)?.collection ?? null),
    );
  for (const collection of new Set(needed)) {
    if (collection !== null) yield `# It needs: ansible-galaxy collection install ${collection}\n`;
  }
  yield '---\n';
  const plays = parts.filter((play) => play !== null);
  if (plays.length === 0) yield '[]\n';
  for (const play of plays) yield stringify([play], { lineWidth: 0 });
}

function reasonOf(
  { state, package_manager: manager }: PlanEntry['host'],
  identity: CheckedIdentity | NotCovered | undefined,
): string {
  if (manager !== null && !hasPlaybook(manager)) return `Left out, Ansible has no module for ${manager}`;
  return identity !== undefined && 'code' in identity
    ? `Not covered, ${identity.code}: ${identity.detail}`
    : `Left out, ${state}`;
}

type Task = Readonly<Record<string, unknown>>;

function playOf(
  { host, architecture, forensicsFirst }: PlanEntry,
  {
    identity,
    name,
  }: { readonly identity: CheckedIdentity | NotCovered | undefined; readonly name: string | undefined },
  options: PlanOptions,
): object | null {
  const { package_manager: manager, packages, reboot } = host;
  if (host.state !== 'planned' || name === undefined || manager === null) return null;
  const module = moduleOf(manager);
  if (module === null) return null;
  if (identity === undefined || 'code' in identity) return null;
  const named = namedByCommand(manager, packages).map((one) => ({ ...one, version: one.to_version }));
  const specs = packageSpecs(manager, named, architecture);
  const tasks: Task[] = [
    ...identityTasks(identity),
    ...(forensicsFirst.length > 0 ? [evidenceTask] : []),
    ...(named.length === 0 ? [] : [upgradeTask(module, specs, options.versions)]),
    ...(options.reboot && reboot.state === 'needed'
      ? [{ name: 'Reboot', 'ansible.builtin.reboot': {} }]
      : []),
  ];
  return { name: `Patch ${name}`, hosts: name, become: true, gather_facts: false, tasks };
}

/** Tasks that fail on every other machine. */
function identityTasks({ machineId, nodeName }: CheckedIdentity): readonly Task[] {
  const read = (name: string, argv: readonly string[], register: string): Task => ({
    name,
    'ansible.builtin.command': { argv },
    register,
    changed_when: false,
    check_mode: false,
  });
  const hasName = nodeName !== '';
  const that = [
    `plimsoll_machine_id.stdout == "${machineId}"`,
    ...(hasName ? [`plimsoll_node_name.stdout == "${nodeName}"`] : []),
  ];
  return [
    read('Read the machine id', ['cat', '/etc/machine-id'], 'plimsoll_machine_id'),
    ...(hasName ? [read('Read the name', ['uname', '-n'], 'plimsoll_node_name')] : []),
    {
      name: 'Check that this is the planned machine',
      'ansible.builtin.assert': { that, fail_msg: 'This is not the machine that was planned.' },
    },
  ];
}

/** Fails, also with --check, until the user names the host. */
const evidenceTask: Task = {
  name: 'Check that the evidence of this host is taken',
  'ansible.builtin.assert': {
    that: [`inventory_hostname in (${evidenceHosts} | default('')).split(',')`],
    fail_msg: `Nothing was changed: the due dates ask for a forensic examination of this host. ${evidenceWords} Then add the inventory name of the host to -e ${evidenceHosts}=NAME,NAME.`,
  },
};

function upgradeTask(
  { module, options, optionsOfNewest = {} }: UpgradeModule,
  specs: ReturnType<typeof packageSpecs>,
  versions: PlanOptions['versions'],
): Task {
  const isPinned = versions === 'pinned';
  const packages = { name: isPinned ? specs.pinned : specs.unpinned, state: isPinned ? 'present' : 'latest' };
  const task = { ...packages, ...(isPinned ? {} : optionsOfNewest), ...options };
  return { name: 'Upgrade the packages', [module]: task };
}
