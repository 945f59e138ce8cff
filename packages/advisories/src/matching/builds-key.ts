import type { Builds, SourceNaming } from '@plimsoll/model';

/** One text for equal builds; distinguishes an advisory's statements about the same name. */
export function buildsKey(
  { architectures, module, line }: Builds,
  names: SourceNaming | null = null,
): string {
  if (architectures.length === 0 && module === null && line === null && names === null) return '';
  return [architectures.join(','), module ?? '*', line ?? '*', ...(names === null ? [] : [names])].join('|');
}
