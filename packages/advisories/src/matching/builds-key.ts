import type { Builds, SourceNaming } from '@plimsoll/model';

/** One text for equal builds: what tells several statements of an advisory about one name apart. */
export function buildsKey(
  { architectures, module, line }: Builds,
  names: SourceNaming | null = null,
): string {
  if (architectures.length === 0 && module === null && line === null && names === null) return '';
  return [architectures.join(','), module ?? '*', line ?? '*', ...(names === null ? [] : [names])].join('|');
}
