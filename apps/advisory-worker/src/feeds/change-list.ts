import { compareText } from '@plimsoll/model';
import { ImportError } from '@plimsoll/pipeline';

/** A line of Red Hat's changes.csv or deletions.csv: a document and the time of its change. */
export interface ChangedDocument {
  /** `2024/cve-2024-0001.json`, relative to the list. */
  readonly path: string;
  readonly at: Date;
}

/** `"2024/cve-2024-0001.json","2024-08-04T10:17:22+00:00"`; quotes are optional. */
const line =
  /^"?(\d{4}\/[a-z0-9][a-z0-9_-]{0,99}\.json)"?,"?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))"?$/;

/** The changed documents of a list, and the number of lines that do not describe a change. */
export interface ChangeList {
  readonly documents: readonly ChangedDocument[];
  readonly unreadLines: number;
}

/**
 * The documents of a list that changed at a time or later, each once with its last change, oldest change
 * first. Throws ImportError if most lines do not describe a change: a login page must not pass for "nothing
 * has changed".
 */
export function documentsChangedSince(text: string, since: Date): ChangeList {
  const found = new Map<string, ChangedDocument>();
  let lines = 0;
  let unreadLines = 0;
  for (const each of text.split('\n')) {
    const trimmed = each.trim();
    if (trimmed === '') continue;
    lines++;
    const [, path, time = ''] = line.exec(trimmed.slice(0, 300)) ?? [];
    const at = new Date(time);
    if (path === undefined || Number.isNaN(at.getTime())) {
      unreadLines++;
      continue;
    }
    const known = found.get(path);
    if (at >= since && (known === undefined || known.at < at)) found.set(path, { path, at });
  }
  if (unreadLines * 2 > lines)
    throw new ImportError(
      'not_recognised',
      'The list of changed documents has lines that do not describe a change.',
    );
  const documents = [...found.values()].sort(
    (a, b) => a.at.getTime() - b.at.getTime() || compareText(a.path, b.path),
  );
  return { documents, unreadLines };
}

/** The id of the record in a document: `CVE-2024-0001` of `2024/cve-2024-0001.json`. */
export function idOfDocument(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.json'.length).toUpperCase();
}
