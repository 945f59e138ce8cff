import { hostInventoryQuerySchema } from '../host.ts';
import { ansibleInventorySchema } from '../inventory.ts';
import { json, operationsFor } from '../operation.ts';

const { forViewers } = operationsFor('hosts');

/** Lists of hosts for other programs. */
export const inventoryOperations = {
  getAnsibleInventory: forViewers('get', '/api/v1/inventory/ansible', {
    summary: 'Approved hosts as a dynamic inventory of Ansible, grouped by tag, system, status and action',
    heavy: true,
    readAudit: 'data.exported',
    compressed: true,
    query: hostInventoryQuerySchema,
    responses: { 200: json(ansibleInventorySchema, 'The inventory; its groups depend on the hosts.') },
  }),
} as const;
