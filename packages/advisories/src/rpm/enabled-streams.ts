import type { ModuleStream } from '@plimsoll/model';
import { splitEvr } from './evr.ts';
import { moduleStreamOf, streamOf } from './module-stream.ts';

/** Stands in a label where rpm has the build's version: the stream was not in the package's own label. */
const enabled = 'enabled';

/** A package that was built in a module, as far as its own fields tell. */
export interface ModularPackage {
  readonly name: string;
  readonly version: string;
  readonly module: string;
}

/** Whether a package was built in a module and does not say in which: its label is missing, its release says so. */
export function lacksStream({ version, module }: Omit<ModularPackage, 'name'>): boolean {
  return moduleStreamOf(module, splitEvr(version).release).kind === 'unknown';
}

/**
 * The label of a package that lacks its stream, from the streams that its host has enabled: only those of modules that
 * are known to hold a package of the name count, and only where that leaves one. Null where it leaves none or several.
 * @param modules names of the modules that advisories of the release know the package in.
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

/** Whether a label is one that labelFromEnabledStreams made. */
export function isFromEnabledStreams(label: string): boolean {
  return label.split(':', 3)[2] === enabled;
}
