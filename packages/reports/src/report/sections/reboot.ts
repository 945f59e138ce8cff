import type { ReportSection } from '../report-section.ts';
import { tabbedLines } from '../tabbed-lines.ts';

/** The answer of a tool that checks whether a reboot is due. */
export interface RebootAnswer {
  exit: number;
  readonly says: string[];
}

/** The distribution's own indications of a due reboot. */
export interface RebootFacts {
  /** `/run/reboot-required`; null if not checked. */
  flag: 'yes' | 'no' | null;
  readonly packages: string[];
  /** `needs-restarting -r`. */
  needsRestarting: RebootAnswer | null;
  /** `zypper needs-rebooting`. */
  needsRebooting: RebootAnswer | null;
}

const exitForm = /^\d{1,3}$/;

/** Parses `reboot`. `says` belongs to the previously named tool. */
export function parseReboot(section: ReportSection): RebootFacts {
  const facts: RebootFacts = { flag: null, packages: [], needsRestarting: null, needsRebooting: null };
  let answer: RebootAnswer | null = null;
  for (const { key, value, columns } of tabbedLines(section)) {
    switch (key) {
      case 'flag':
        facts.flag = value === 'yes' || value === 'no' ? value : null;
        break;
      case 'package':
        facts.packages.push(value);
        break;
      case 'needs-restarting':
        answer = answerOf(value, columns);
        facts.needsRestarting = answer;
        break;
      case 'needs-rebooting':
        answer = answerOf(value, columns);
        facts.needsRebooting = answer;
        break;
      case 'says':
        answer?.says.push(columns.slice(1).join('\t'));
        break;
      default: // A newer collector may report more.
    }
  }
  return facts;
}

function answerOf(exit: string, columns: readonly string[]): RebootAnswer | null {
  return exitForm.test(exit) ? { exit: Number(exit), says: columns.slice(2, 3) } : null;
}
