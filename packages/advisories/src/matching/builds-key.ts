import type { Builds } from '@plimsoll/model';

/** One text for equal builds: what tells several statements of an advisory about one package apart. */
export function buildsKey({ architectures, module, line }: Builds): string {
  if (architectures.length === 0 && module === null && line === null) return '';
  return [architectures.join(','), module ?? '*', line ?? '*'].join('|');
}
