import { isJsonObject } from '@plimsoll/model';
import { findValue, parseJsonSection } from '../json-section.ts';
import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';

/** Live patches of the running kernel. */
export interface LivepatchFacts {
  /** The client's words; empty without live patches. */
  readonly state: string;
  readonly cves: readonly string[];
}

const cveId = /CVE-\d{4}-\d{4,}/g;
const loadedModule = /^(\S+) \[enabled\]$/;

/** Parses `livepatch`: Canonical's client in JSON, or `kpatch list`. */
export function parseLivepatch(section: ReportSection, notes: SectionNotes): LivepatchFacts | null {
  const first = section.lines.find((line) => line.trim() !== '') ?? '';
  if (first.trimStart().startsWith('{')) return readCanonical(section, notes);
  if (section.lines.some((line) => line.startsWith('Loaded patch modules:'))) return readKpatch(section);
  notes.fail('its output is not that of a known livepatch client');
  return null;
}

function readKpatch({ lines }: ReportSection): LivepatchFacts {
  const loaded = lines.flatMap((line) => loadedModule.exec(line.trim())?.[1] ?? []);
  return { state: loaded.map((name) => `${name} [enabled]`).join(', '), cves: [] };
}

function readCanonical(section: ReportSection, notes: SectionNotes): LivepatchFacts | null {
  const status = parseJsonSection(section, notes);
  if (status === null) return null;
  const kernels = findValue(status, 'status');
  const running = Array.isArray(kernels)
    ? kernels.find((kernel) => isJsonObject(kernel) && findValue(kernel, 'running') === true)
    : undefined;
  const patch = isJsonObject(running) ? findValue(running, 'livepatch') : undefined;
  if (!isJsonObject(patch)) return { state: '', cves: [] };
  const [state, version] = ['state', 'version'].map((key) => findValue(patch, key));
  const words = [state ?? findValue(patch, 'patchState'), version];
  const isApplied = words[0] === 'applied';
  return {
    state: words.filter((word) => typeof word === 'string' && word !== '').join(' '),
    cves: isApplied ? appliedCves(findValue(patch, 'fixes')) : [],
  };
}

/** Fixes are text, or objects that can state that a fix is not patched. */
function appliedCves(fixes: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(fixes) ? fixes : [fixes];
  return list.flatMap((fix) => {
    if (typeof fix === 'string') return fix.match(cveId) ?? [];
    if (!isJsonObject(fix) || findValue(fix, 'patched') === false) return [];
    const name = findValue(fix, 'name');
    return typeof name === 'string' ? (name.match(cveId) ?? []) : [];
  });
}
