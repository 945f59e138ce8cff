import { z } from 'zod';
import { hostSchema } from './host.ts';

const { id, os_family, os_name, os_major, os_version, architecture, status, overall_action, gaps, coverage } =
  hostSchema.shape;

/** What a playbook may use of a host. No value can contain a template: texts of hosts are cut to harmless characters. */
const hostVariablesSchema = z.strictObject({
  ansible_host: z
    .string()
    .optional()
    .describe(
      'The address that a user entered; of hosts with an agent the newest address that they reported, if no other host has it, too.',
    ),
  plimsoll_no_address: z
    .string()
    .optional()
    .describe(
      'Why there is no ansible_host. The name of such a host ends in its id, so that it resolves to nothing.',
    ),
  plimsoll_id: id,
  plimsoll_os_family: os_family,
  plimsoll_os_name: os_name,
  plimsoll_os_major: os_major,
  plimsoll_os_version: os_version,
  plimsoll_architecture: architecture,
  plimsoll_status: status,
  plimsoll_action: overall_action,
  plimsoll_gaps: gaps,
  plimsoll_coverage: coverage,
  plimsoll_reboot_state: hostSchema.shape.reboot_state,
  plimsoll_tags: z
    .array(z.string())
    .describe('Without tags that have other characters than letters, digits and .:_-'),
});

/** The names of hosts in one group. */
const groupSchema = z.strictObject({ hosts: z.array(z.string()) });

/** An inventory as Ansible expects it of an inventory script. */
export const ansibleInventorySchema = z
  .object({
    _meta: z.strictObject({ hostvars: z.record(z.string(), hostVariablesSchema) }),
    all: z.strictObject({ children: z.array(z.string()) }),
  })
  .catchall(groupSchema)
  .meta({ id: 'AnsibleInventory' });
export type AnsibleInventory = z.output<typeof ansibleInventorySchema>;
/** The variables of one host. */
export type AnsibleHostVariables = z.output<typeof hostVariablesSchema>;
