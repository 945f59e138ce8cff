import type { ReportSection } from '../report-section.ts';
import { tabbedLines } from '../tabbed-lines.ts';

/** Processes that run files which an update has replaced. */
export interface DeletedFilesFacts {
  /** What to restart: a unit or a command, with its files. */
  readonly toRestart: ReadonlyMap<string, readonly string[]>;
  /** Whether every process could be checked. */
  readonly isComplete: boolean;
}

/** Where programs and libraries are installed; an update does not replace deleted files elsewhere. */
const programFile = /^\/(?:usr|lib|lib32|lib64|libx32|bin|sbin|opt|snap)\//;
const deletedMark = ' (deleted)';

/** Parses `deleted-files`. */
export function parseDeletedFiles(section: ReportSection): DeletedFilesFacts {
  const toRestart = new Map<string, string[]>();
  for (const { key, value } of tabbedLines(section)) {
    const file = value.endsWith(deletedMark) ? value.slice(0, -deletedMark.length) : value;
    if (key === '' || !programFile.test(file)) continue;
    const others = toRestart.get(key);
    if (others === undefined) toRestart.set(key, [file]);
    else others.push(file);
  }
  return { toRestart, isComplete: section.exit === 0 };
}
