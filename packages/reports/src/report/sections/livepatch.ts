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

/** Canonical's client names fixes in lower case. */
const cveId = /CVE-\d{4}-\d{4,}/gi;
/** Amazon names modules after the CVE they fix: `livepatch_CVE_2022_36946`. */
const cveInModule = /_CVE_(\d{4})_(\d{4,19})(?:_|$)/;
const loadedModule = /^(\S+) \[enabled\]$/;
/** Ksplice detects attempts to use known faults: such an update fixes none. */
const detection = /^\[\w+\] Known exploit detection/;
/**
 * Words for "none" of canonical-livepatch (`Machine is not enabled`, with exit status 1), kcarectl, uptrack-show and klp.
 */
const noPatches =
  /machine is not enabled|unknown kernel|\bno (?:live ?|kernel )?(?:patch|update)(?:e?s)?\b|(?:patch(?:es)?|kernel) (?:is|are) not (?:applied|loaded|patched)/i;

/**
 * Parses `livepatch`: Canonical's client in JSON, `kpatch list`, `klp -v patches`, `uptrack-show` or
 * `kcarectl --patch-info`.
 */
export function parseLivepatch(section: ReportSection, notes: SectionNotes): LivepatchFacts | null {
  const { lines, said, exit } = section;
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const isNone = [...lines, ...said].some((line) => noPatches.test(line));
  if (exit !== 0) {
    if (isNone) return { state: '', cves: [] };
    notes.fail([`exit status ${exit}`, ...said.slice(0, 2)].join(': '));
    return null;
  }
  if (first.trimStart().startsWith('{')) return readCanonical(section, notes);
  // klp prints nothing without a live patch.
  if (first === '') return { state: '', cves: [] };
  if (lines.some((line) => line.startsWith('Loaded patch modules:'))) return readKpatch(section);
  const read = readKsplice(lines) ?? readKernelCare(lines) ?? readKlp(lines);
  if (read !== null) return read;
  if (isNone) return { state: '', cves: [] };
  notes.fail('its output is not that of a known livepatch client');
  return null;
}

function readKpatch({ lines }: ReportSection): LivepatchFacts {
  const loaded = lines.flatMap((line) => loadedModule.exec(line.trim())?.[1] ?? []);
  const cves = loaded.flatMap((name) => {
    const [, year, number] = cveInModule.exec(name) ?? [];
    return year === undefined || number === undefined ? [] : [`CVE-${year}-${number}`];
  });
  return { state: loaded.map((name) => `${name} [enabled]`).join(', '), cves: distinct(cves) };
}

/** `uptrack-show`: `[id] CVE-…: description` for each update in the running kernel. */
function readKsplice(lines: readonly string[]): LivepatchFacts | null {
  const first = lines.findIndex((line) => line.trim() === 'Installed updates:');
  if (first < 0) return null;
  const rest = lines.slice(first + 1);
  const end = rest.findIndex((line) => /^(?:Available updates:|Effective kernel version)/.test(line));
  const updates = (end < 0 ? rest : rest.slice(0, end)).filter((line) => /^\[\w+\] /.test(line));
  const state = updates.length === 0 ? '' : `Ksplice: ${updates.length} updates installed`;
  return { state, cves: cvesIn(updates.filter((line) => !detection.test(line))) };
}

/** `kcarectl --patch-info`: one `kpatch-cve: CVE-…` for each fix in the applied patch. */
function readKernelCare(lines: readonly string[]): LivepatchFacts | null {
  if (!lines.some((line) => line.startsWith('kpatch-name:'))) return null;
  const cves = cvesIn(lines.filter((line) => line.startsWith('kpatch-cve:')));
  return { state: 'KernelCare: patch applied', cves };
}

/** `klp -v patches`: the module's name, then indented fields, of which `active: 1` says that the kernel uses it. */
function readKlp(lines: readonly string[]): LivepatchFacts | null {
  const patches: { name: string; active: boolean; lines: string[] }[] = [];
  for (const line of lines) {
    const patch = patches.at(-1);
    if (/^\S+$/.test(line)) patches.push({ name: line, active: false, lines: [] });
    else if (/^\s+active:\s*1\s*$/.test(line) && patch !== undefined) patch.active = true;
    else if (/^\s/.test(line) && patch !== undefined) patch.lines.push(line);
    else if (line.trim() !== '') return null;
  }
  if (!patches.some((patch) => patch.active || patch.lines.length > 0)) return null;
  const active = patches.filter((patch) => patch.active);
  return {
    state: active.map(({ name }) => `${name} [enabled]`).join(', '),
    cves: cvesIn(active.flatMap((patch) => patch.lines)),
  };
}

function cvesIn(lines: readonly string[]): readonly string[] {
  return distinct(lines.flatMap((line) => idsIn(line)));
}

function idsIn(text: string): readonly string[] {
  return (text.match(cveId) ?? []).map((id) => id.toUpperCase());
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
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
    if (typeof fix === 'string') return idsIn(fix);
    if (!isJsonObject(fix) || findValue(fix, 'patched') === false) return [];
    const name = findValue(fix, 'name');
    return typeof name === 'string' ? idsIn(name) : [];
  });
}
