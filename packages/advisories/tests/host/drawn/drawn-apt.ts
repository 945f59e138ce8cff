import type { InstalledPackage, KernelFacts, Upgrade } from '@plimsoll/model';
import fc from 'fast-check';
import { noKernelFacts, type offered } from '../../debian-host.ts';
import { seldom } from './drawn-host.ts';

/** The sources of the packages that hosts with apt have besides kernels. */
export const sourceOf = new Map([
  ['curl', 'curl'],
  ['libcurl4', 'curl'],
  ['libssl3', 'openssl'],
]);

/** A few packages, each name once. */
export const drawnPackages = (...packages: readonly fc.Arbitrary<InstalledPackage>[]) =>
  fc.uniqueArray(fc.oneof(...packages), { selector: ({ name }) => name, minLength: 2, maxLength: 8 });

/** Updates that are offered: of the packages above and of kernels, from and to some versions. */
export function drawnUpgrades(
  offer: typeof offered,
  drawn: {
    readonly kernels: fc.Arbitrary<string>;
    readonly from: readonly string[];
    readonly to: fc.Arbitrary<string>;
    readonly origin: fc.Arbitrary<string>;
  },
): fc.Arbitrary<Upgrade[]> {
  const one = fc
    .record({
      name: fc.oneof(fc.constantFrom(...sourceOf.keys()), drawn.kernels),
      from: fc.constantFrom(...drawn.from),
      to: drawn.to,
      isSecurity: fc.boolean(),
      held: seldom,
      phased: seldom,
      origin: drawn.origin,
      source: fc.constantFrom('own', 'own', 'own', 'openssl', ''),
    })
    .map(({ name, from, to, source, ...rest }) => {
      const own = sourceOf.get(name) ?? 'linux';
      return offer(name, from, to, { ...rest, sourceName: source === 'own' ? own : source || name });
    });
  return fc.uniqueArray(one, { minLength: 2, maxLength: 6, selector: ({ name }) => name });
}

/** The facts of a kernel that runs, or none. */
export function drawnKernel<Boot>(
  boot: fc.Arbitrary<Boot>,
  running: (boot: Boot, rest: Partial<KernelFacts>) => KernelFacts,
): fc.Arbitrary<KernelFacts> {
  const known = fc
    .record({
      boot,
      rebootRequired: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const),
      livepatchedCves: fc.constantFrom([], ['CVE-2024-0001', 'CVE-2024-0002']),
    })
    .map(({ boot: booted, ...rest }) => running(booted, rest));
  return fc.oneof({ weight: 1, arbitrary: fc.constant(noKernelFacts) }, { weight: 4, arbitrary: known });
}

/** What else is drawn of every host with apt. */
export const drawnFacts = {
  virtualization: fc.constantFrom('kvm', 'kvm', 'kvm', 'lxc', ''),
  facts: fc.record({
    updates: fc.constantFrom('known' as const, 'known' as const, 'known' as const, 'unknown' as const),
  }),
};
