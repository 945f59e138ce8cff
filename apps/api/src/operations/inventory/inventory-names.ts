interface Named {
  readonly id: string;
  readonly hostname: string;
  /** Whether Ansible gets an address of it. */
  readonly isPlaced: boolean;
}

const harmlessName = /^[a-z\d][a-z\d._-]{0,252}$/i;

/** Names with a meaning of their own in Ansible. */
const reservedNames = new Set(['all', 'ungrouped', 'localhost', '127.0.0.1']);

/**
 * The inventory name of each host by id: its host name, followed by its id if several of the hosts have it, or if Ansible
 * gets no address of it and would connect to what the name resolves to: a host names itself. A host name with other
 * characters than those of DNS names, or with a meaning in Ansible, is replaced.
 */
export function inventoryNames(hosts: readonly Named[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  for (const { hostname } of hosts) times.set(hostname, (times.get(hostname) ?? 0) + 1);
  return new Map(
    hosts.map(({ id, hostname, isPlaced }) => {
      const isUsable = harmlessName.test(hostname) && !reservedNames.has(hostname.toLowerCase());
      if (!isUsable) return [id, `host-${id}`];
      return [id, isPlaced && times.get(hostname) === 1 ? hostname : `${hostname}-${id}`];
    }),
  );
}
