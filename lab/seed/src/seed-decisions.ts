import type { Client } from '@plimsoll/testing';
import { expectStatus } from './seed-fleet.ts';

const groups = [
  { name: 'Production', filter: { tag: 'production' } },
  { name: 'Web servers', filter: { tag: 'web' } },
  { name: 'Databases', filter: { tag: 'db' } },
];

/** What a team decides about its fleet: due dates by severity, unless there is a policy, and shared groups of hosts. */
export async function seedDecisions(client: Client): Promise<void> {
  const present = await client.get('/policies/due-dates');
  const { rules } = present.body as { readonly rules: readonly unknown[] }; // the contract's type
  if (rules.length === 0) {
    const answer = await client.send('PUT', '/policies/due-dates', { preset: 'by-severity' });
    // For admins only; the hosts can be seeded by operators.
    if (answer.status !== 403) expectStatus(answer, 200, 'the policy of due dates');
  }
  const known = (await client.get('/groups')).body as readonly { readonly name: string }[];
  for (const group of groups)
    if (!known.some(({ name }) => name === group.name))
      expectStatus(
        await client.send('POST', '/groups', { ...group, shared: true }),
        201,
        `group ${group.name}`,
      );
}
