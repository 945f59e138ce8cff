import { encodeSnapshot } from '@plimsoll/reports';
import { waitFor } from '@plimsoll/testing';
import { debianMachine, installed } from '../../../tests/pipeline/debian-machine.ts';
import type { MirroredService } from './mirrored-service.ts';

/** What `GET /hosts/{id}` says about the knowledge of a host's findings. */
interface ShownHost {
  readonly coverage: string;
  readonly gaps: readonly string[];
  readonly feed_updated_at: string | null;
  readonly overall_action: string;
}

/** Hosts of Fedora, one per release, by its number. */
export interface FedoraHosts {
  /** Enrols a host whose only package the first update of its release fixes. */
  enrol(number: string): Promise<void>;
  host(number: string): Promise<ShownHost>;
  /** The versions that fix the host's vulnerable packages. */
  fixes(number: string): Promise<readonly string[]>;
}

/** Hosts of Fedora in a service. */
export function fedoraHosts({ client }: Pick<MirroredService, 'client'>): FedoraHosts {
  const ids = new Map<string, string>();
  return {
    async enrol(number) {
      const { id, token } = await client.enrol(`fedora-${number}`);
      ids.set(number, id);
      expect((await client.upload(token, encodeSnapshot(snapshotOf(number)))).status).toBe(202);
      await waitFor(`the report of Fedora ${number} to be matched`, async () => {
        const uploads = (await client.get(`/hosts/${id}/uploads`)).body as readonly {
          readonly state: string;
        }[];
        return uploads.some(({ state }) => state === 'matched');
      });
    },
    host: async (number) => (await client.get(`/hosts/${ids.get(number)}`)).body as ShownHost,
    async fixes(number) {
      const { body } = await client.get(`/hosts/${ids.get(number)}/packages/vulnerable`);
      const packages = body as readonly { readonly evidence: { readonly fixed_version: string } }[];
      return packages.map(({ evidence }) => evidence.fixed_version);
    },
  };
}

function snapshotOf(number: string) {
  const platform = {
    ...debianMachine().platform,
    osFamily: 'rpm' as const,
    osId: 'fedora',
    osVersionId: number,
    osVersion: number,
    osCodename: '',
    osPrettyName: `Fedora Linux ${number}`,
    hostname: `fedora-${number}`,
    machineId: `b08dfa6083e7567a1921a7150000${number}fb`,
  };
  const package0 = { ...installed('binary0', `1.0-1.fc${number}`), architecture: 'x86_64' };
  return debianMachine({ platform, packages: [package0], upgrades: [] });
}
