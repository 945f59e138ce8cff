import { createPlaces, type Places } from './places.ts';

/**
 * Limits the connections to one server that run no command yet. sshd drops connections at random once ten have not logged
 * in (MaxStartups in sshd_config(5)), and several hosts of a fleet may be behind one address and port.
 */
export interface Startups {
  /** Waits for a turn at a server, in order; call the result to give it back. Rejects with the signal's reason. */
  acquire(server: string, signal: AbortSignal): Promise<() => void>;
}

/** Makes `perServer` turns (1 or more) for every server. */
export function createStartups(perServer: number): Startups {
  const servers = new Map<string, { readonly places: Places; users: number }>();
  return {
    async acquire(server, signal) {
      const known = servers.get(server) ?? { places: createPlaces(perServer), users: 0 };
      servers.set(server, known);
      known.users += 1;
      const leave = () => {
        known.users -= 1;
        if (known.users === 0) servers.delete(server);
      };
      try {
        const giveBack = await known.places.acquire(signal);
        let held = true;
        return () => {
          if (!held) return;
          held = false;
          giveBack();
          leave();
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
