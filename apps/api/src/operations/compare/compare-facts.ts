import type { HostComparison } from '@plimsoll/contract';
import type { ComparedHost } from './compared-host.ts';

/** What each host says of itself, fact by fact. An empty text counts as not known. */
export function compareFacts(a: ComparedHost, b: ComparedHost): HostComparison['facts'] {
  return Object.entries(facts).map(([fact, read]) => {
    const [one, other] = [textOf(read(a)), textOf(read(b))];
    return { fact, a: one, b: other, same: one === null || other === null ? null : one === other };
  });
}

type Read = (host: ComparedHost) => string | null | undefined;

const facts: Readonly<Record<string, Read>> = {
  operating_system: ({ assessed }) => assessed?.host.facts.platform.osPrettyName,
  release: ({ assessed }) => assessed?.host.release,
  architecture: ({ overview }) => overview.architecture,
  virtualization: ({ assessed }) => assessed?.host.facts.platform.virtualization,
  running_kernel: ({ assessed }) => assessed?.assessment.kernelPosture.runningKernel,
  latest_installed_kernel: ({ assessed }) => assessed?.assessment.kernelPosture.latestInstalledKernel,
  reboot: ({ overview }) => known(overview.rebootState),
  restarts: ({ overview }) => known(overview.restartState),
  live_patches: ({ assessed }) => assessed?.host.facts.kernel.livepatch,
  subscription: ({ assessed }) => subscriptionOf(assessed),
  module_streams: ({ assessed }) =>
    assessed?.host.facts.moduleStreams
      .filter(({ enabled }) => enabled)
      .map(({ name, stream }) => `${name}:${stream}`)
      .sort()
      .join(', '),
  repositories: ({ overview }) => known(overview.repositoriesState),
  coverage: ({ overview }) => overview.coverage,
  status: ({ overview }) => overview.status,
  exposure: ({ overview }) => known(overview.exposure),
  tags: ({ overview }) => [...overview.tags].sort().join(', ') || 'none',
};

function subscriptionOf(assessed: ComparedHost['assessed']): string | null {
  const subscription = assessed?.host.facts.subscription ?? null;
  if (subscription === null) return null;
  const { kind, attached, services } = subscription;
  return attached ? [kind, ...services].join(', ') : `${kind}, not attached`;
}

function known(state: string): string | null {
  return state === 'unknown' ? null : state;
}

function textOf(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === '' ? null : text;
}
