import { createHash } from 'node:crypto';
import type { AnsibleHostVariables, AnsibleInventory, Host } from '@plimsoll/contract';
import { hostAnswer } from '../hosts/host-answer.ts';
import { hostFiltersOf } from '../hosts/host-selection.ts';
import type { ReadHandler } from '../read-operation.ts';
import { type InventoryHost, readInventory } from './read-inventory.ts';

/**
 * GET /inventory/ansible: the output of an inventory script (docs.ansible.com, "Developing dynamic inventory"). Ansible
 * evaluates templates in the values of an inventory on the machine that runs it, and hosts name themselves: texts of
 * hosts are passed on only if all their characters are harmless.
 */
export const getAnsibleInventory: ReadHandler<'getAnsibleInventory'> = async (
  { query, caller },
  { stores },
) => {
  const inventory = await readInventory(stores, caller.scope, hostFiltersOf(query));
  return { kind: 'json', status: 200, body: inventoryOf(inventory) };
};

/** The inventory of hosts, in their order. */
function inventoryOf(inventory: readonly InventoryHost[]): AnsibleInventory {
  const hosts = inventory.map(({ host, name, place }) => ({ answer: hostAnswer(host), name, place }));
  const tagGroups = tagGroupsOf(hosts.map(({ answer }) => answer));
  const groups = new Map<string, { hosts: string[] }>();
  for (const { answer, name } of hosts) {
    for (const group of groupsOf(answer, tagGroups)) {
      const members = groups.get(group) ?? { hosts: [] };
      members.hosts.push(name);
      groups.set(group, members);
    }
  }
  const hostvars = Object.fromEntries(
    hosts.map(({ answer, name, place }) => [name, { ...placeVariables(place), ...variablesOf(answer) }]),
  );
  const all = { children: [...groups.keys()].sort() };
  return Object.assign({ _meta: { hostvars }, all }, Object.fromEntries(groups));
}

function placeVariables(place: InventoryHost['place']): Partial<AnsibleHostVariables> {
  return place.kind === 'known' ? { ansible_host: place.address } : { plimsoll_no_address: place.why };
}

const harmlessText = /^[\w.:~+-]{1,100}$/;

function groupsOf(host: Host, tagGroups: ReadonlyMap<string, string>): readonly string[] {
  const os = groupWord(host.os_name);
  return [
    ...host.tags.flatMap((tag) => tagGroups.get(tag) ?? []),
    `family_${host.os_family}`,
    ...(os === '' ? [] : [`os_${os}`]),
    ...(os === '' || host.os_major === 0 ? [] : [`os_${os}_${host.os_major}`]),
    `status_${host.status}`,
    `action_${host.overall_action}`,
    `reboot_${host.reboot_state}`,
  ];
}

/** The group of each tag. Tags that differ only in characters that groups cannot have get different groups. */
function tagGroupsOf(hosts: readonly Host[]): ReadonlyMap<string, string> {
  const tags = [...new Set(hosts.flatMap((host) => host.tags))];
  const times = new Map<string, number>();
  for (const tag of tags) times.set(groupWord(tag), (times.get(groupWord(tag)) ?? 0) + 1);
  return new Map(
    tags.map((tag) => {
      const word = groupWord(tag);
      const isItself = word === tag || times.get(word) === 1;
      const mark = createHash('sha256').update(tag).digest('hex').slice(0, 8);
      return [tag, isItself ? `tag_${word}` : `tag_${word}_${mark}`];
    }),
  );
}

/** A text with only the characters that names of groups can have. */
function groupWord(text: string): string {
  return text.replace(/\W/g, '_').slice(0, 100);
}

function variablesOf(host: Host): AnsibleHostVariables {
  return {
    plimsoll_id: host.id,
    plimsoll_os_family: host.os_family,
    plimsoll_os_name: harmless(host.os_name),
    plimsoll_os_major: host.os_major,
    plimsoll_os_version: harmless(host.os_version),
    plimsoll_architecture: harmless(host.architecture),
    plimsoll_status: host.status,
    plimsoll_action: host.overall_action,
    plimsoll_gaps: host.gaps,
    plimsoll_coverage: host.coverage,
    plimsoll_reboot_state: host.reboot_state,
    plimsoll_tags: host.tags.filter((tag) => harmlessText.test(tag)),
  };
}

/** The text; empty if it has other characters than those of versions and names. */
function harmless(text: string): string {
  return harmlessText.test(text) ? text : '';
}
