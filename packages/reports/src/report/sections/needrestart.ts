import type { ReportSection } from '../report-section.ts';
import { incompleteWords } from '../said-words.ts';
import type { SectionNotes } from '../section-rule.ts';

/** The result of needrestart. */
export interface NeedrestartFacts {
  /** Whether a newer kernel is waiting for a reboot. */
  readonly kernel: 'current' | 'pending' | 'unknown';
  /** The running kernel and the one that it expects; empty if not printed. */
  readonly running: string;
  readonly expected: string;
  /** What to restart, each with needrestart's kind. */
  readonly toRestart: readonly {
    readonly name: string;
    readonly kind: 'service' | 'container' | 'session';
  }[];
  /** Whether every process was checked. */
  readonly isComplete: boolean;
}

/** NEEDRESTART-KSTA: 0 unknown or failed to detect, 1 no pending upgrade, 2 ABI compatible upgrade, 3 version upgrade. */
const kernelStates: ReadonlyMap<string, NeedrestartFacts['kernel']> = new Map([
  ['1', 'current'],
  ['2', 'pending'],
  ['3', 'pending'],
]);

const form = /^NEEDRESTART-([A-Z]+): ?(.*)$/;

/** Parses `needrestart`: the batch mode of needrestart(1). Output without its version line is not needrestart's. */
export function parseNeedrestart(section: ReportSection, notes: SectionNotes): NeedrestartFacts | null {
  const toRestart: NeedrestartFacts['toRestart'][number][] = [];
  let kernel: NeedrestartFacts['kernel'] = 'unknown';
  let [running, expected] = ['', ''];
  let isNeedrestart = false;
  for (const line of section.lines) {
    const [, key, rest = ''] = form.exec(line) ?? [];
    const value = rest.trim();
    if (key === 'VER') isNeedrestart = true;
    else if (key === 'KCUR') running = value;
    else if (key === 'KEXP') expected = value;
    else if (key === 'KSTA') kernel = kernelStates.get(value) ?? 'unknown';
    else if (key === 'SVC') toRestart.push({ name: value, kind: 'service' });
    else if (key === 'CONT') toRestart.push({ name: value, kind: 'container' });
    // `user @ session number`: the numbers change with every login.
    else if (key === 'SESS') toRestart.push({ name: value.split(' @ ', 1)[0] ?? '', kind: 'session' });
  }
  if (!isNeedrestart) {
    notes.fail('its output is not that of needrestart');
    return null;
  }
  return {
    kernel,
    running,
    expected,
    toRestart,
    isComplete: section.exit === 0 && incompleteWords(section).length === 0,
  };
}
