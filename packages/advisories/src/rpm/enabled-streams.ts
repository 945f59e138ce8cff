import type { ModuleStream } from '@plimsoll/model';
import { splitEvr } from './evr.ts';
import { moduleStreamOf, streamOf } from './module-stream.ts';

/** Replaces the build's version in a label whose stream was not in the package's own label. */
const enabled = 'enabled';

/** A package built in a module, as far as its own fields show. */
export interface ModularPackage {
  readonly name: string;
  readonly version: string;
  readonly module: string;
}

/**
 * Whether a package was built in a module but does not name it: its label is missing, its release shows the module.
 */
export function lacksStream({ version, module }: Omit<ModularPackage, 'name'>): boolean {
  return moduleStreamOf(module, splitEvr(version).release).kind === 'unknown';
}

/**
 * The label of a package without a stream, from the streams enabled on its host. Considers only modules known to
 * contain a package of that name; null unless exactly one stream remains.
 * @param modules names of the modules in which the release's advisories list the package.
 */
export function labelFromEnabledStreams(
  modules: readonly string[],
  streams: readonly ModuleStream[],
): string | null {
  const labels = new Set<string>();
  for (const { name, stream, enabled: isEnabled } of streams) {
    if (isEnabled && modules.includes(name)) labels.add(`${name}:${stream}:${enabled}`);
  }
  const [label, ...others] = labels;
  if (label === undefined || others.length > 0) return null;
  const [name = '', stream = ''] = label.split(':');
  return streamOf(name, stream) === null ? null : label;
}

/** Whether labelFromEnabledStreams created a label. */
export function isFromEnabledStreams(label: string): boolean {
  return label.split(':', 3)[2] === enabled;
}
