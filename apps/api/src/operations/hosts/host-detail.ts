import { packageManagerOf, repairCommands } from '@plimsoll/advisories';
import type { HostDetail } from '@plimsoll/contract';
import type { HostOverview } from '@plimsoll/db';
import type { ApiServices } from '../../context.ts';
import { hostNotFound } from './find-host.ts';
import { hostAnswer } from './host-answer.ts';
import { rhythmAnswer } from './patch-rhythm-answer.ts';
import { sshAnswer } from './ssh-answer.ts';

/** A host with its details. Throws `not_found` if it has just been deleted. */
export async function hostDetailAnswer(host: HostOverview, services: ApiServices): Promise<HostDetail> {
  return {
    ...hostAnswer(host),
    ssh: host.onboardingMode === 'ssh' ? await sshOf(host, services) : null,
    exposure_source: host.exposureSource,
    tags_by_rule: [...host.tagsByRule],
    judged_as: host.judgedAs,
    support_ends_at: host.supportEndsAt?.toISOString() ?? null,
    support_extended: host.isSupportExtended,
    broken_packages: host.broken.map(({ name, architecture, version, state }) => ({
      name,
      architecture,
      version,
      state,
    })),
    repair: [...repairOf(host)],
    incomplete_facts: host.failures.map(({ section, detail }) => ({ fact: section, detail })),
    machine_id: host.machineId,
    agent_version: host.agentVersion,
    patch_rhythm: await rhythmOf(host, services),
  };
}

function repairOf({ osFamily, osName, osVersion, broken }: HostOverview): readonly string[] {
  const manager = packageManagerOf({ osFamily, osId: osName, osVersionId: osVersion });
  return manager === null ? [] : repairCommands(manager, broken);
}

async function rhythmOf(host: HostOverview, { stores, clock }: ApiServices) {
  const now = clock();
  return rhythmAnswer(await stores.patchRhythms.ofHost(host.id), host, now);
}

async function sshOf(host: HostOverview, { stores, collectorKeeper }: ApiServices) {
  const [target, collector] = await Promise.all([stores.sshHosts.find(host.id), collectorKeeper.kept()]);
  if (target === null) throw hostNotFound();
  return sshAnswer(host, target, collector);
}
