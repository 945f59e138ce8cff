import { reportLimits } from '../../limits.ts';
import { parseNevra } from '../evr.ts';
import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';

/** Names and name patterns that a host excludes from updates. */
export type LockFacts = readonly string[];

const excludes = /^exclude(?:pkgs)?\s*=\s*(.*)$/i;
const dnf5Lock = /^package name\s*:\s*(\S+)/i;
const architectureOrAny = /\.(?:\*|[a-z][a-z0-9_]*)$/;

/**
 * Parses `locks`: lines of the versionlock plugins, `exclude=` of dnf.conf, the table of `zypper locks`, or plain
 * names.
 */
export function parseLocks({ lines }: ReportSection, notes: SectionNotes): LockFacts {
  const names = new Set<string>();
  for (const line of lines) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    for (const name of namesIn(text)) names.add(name);
    if (names.size > reportLimits.lockPatterns) {
      notes.fail(`more than ${reportLimits.lockPatterns} names are locked`);
      break;
    }
  }
  return [...names];
}

function namesIn(text: string): readonly string[] {
  const list = excludes.exec(text)?.[1];
  if (list !== undefined)
    return list
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .map(nameOf);
  const dnf5Name = dnf5Lock.exec(text)?.[1];
  if (dnf5Name !== undefined) return [dnf5Name];
  if (text.includes('|')) return zypperName(text.split('|').map((cell) => cell.trim()));
  return /\s/.test(text) ? [] : [nameOf(text)];
}

/** `1 | bash | package | (any)`, without headings. */
function zypperName([number = '', name = '', type = 'package']: readonly string[]): readonly string[] {
  return /^\d+$/.test(number) && name !== '' && type === 'package' ? [name] : [];
}

/** The name in `bash-0:5.1.8-9.el9.*`, `0:bash-5.1.8-9.el9.*`, `!bash-…`, `kernel*`, `php.x86_64`. */
function nameOf(lock: string): string {
  const text = lock.replace(/^!/, '');
  const nevra = parseNevra(text);
  if (nevra !== null && /^(?:\d+:)?\d/.test(nevra.evr)) return nevra.name;
  return text.replace(architectureOrAny, '');
}
