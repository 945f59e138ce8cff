import { distributionOf, feeds } from '@plimsoll/advisories';
import type { Shrinkage } from '@plimsoll/db';
import type { FieldError } from '@plimsoll/model';
import type { FilesToImport } from './files-to-import.ts';
import { ImportError } from './records/import-error.ts';
import type { Tally } from './tally.ts';

/** Throws ImportError for files about a release that no distribution has. */
export function refuseUnknownRelease({ files }: FilesToImport): void {
  for (const { release } of files) {
    if (release !== null && distributionOf(release) === null)
      throw new ImportError('unknown_release', `"${release}" is no release that is known.`);
  }
}

/** Throws ImportError if no record belongs to a feed, or if most records are broken. */
export function refuseUseless(tally: Tally, files: FilesToImport): void {
  if (tally.feeds.size === 0 && files.changes === undefined) throw nothingFor(tally, files);
  if (tally.isMostlyBroken()) throw new ImportError('no_records', 'Most records of the file are broken.');
}

/** Throws ImportError for a file that would remove most of a feed: it is probably incomplete. */
export function refuseShrinkage(
  { stored, lacking, significantFrom }: Shrinkage,
  { sync }: Pick<FilesToImport, 'sync'>,
): void {
  if (stored < significantFrom || lacking * 2 <= stored) return;
  // A sync has no option to omit: its address is wrong, or its server has a part of the feed.
  const wayOut =
    sync === null ? 'Import it without "complete".' : 'Nothing was changed: the stored records stay.';
  throw new ImportError(
    'too_few_records',
    `The file lacks ${lacking} of ${stored} stored records: it is not the whole feed. ${wayOut}`,
  );
}

/** The first error as a sentence: records of a file in another format are all refused for the same reason. */
function firstOf(errors: readonly FieldError[]): string {
  const [first] = errors;
  return first === undefined ? '' : ` The first one ("${first.pointer}"): ${first.detail}.`;
}

function nothingFor(tally: Tally, { files, sync }: FilesToImport): ImportError {
  const { recordsRead, recordsRejected, errors } = tally.progress();
  if (recordsRead === 0) return new ImportError('no_records', 'The file contains no records.');
  if (recordsRejected === recordsRead)
    return new ImportError('no_records', `Every record of the file is broken.${firstOf(errors)}`);
  if (sync !== null) return new ImportError('no_records', `Nothing in the file is of ${sync.feedId}.`);
  const hint = files.some(({ release }) => release === null)
    ? ' Where records do not say their release, say it with the file, like "almalinux:8".'
    : '';
  const known = [...new Set(feeds.map(({ title }) => title))].join(', ');
  return new ImportError('no_records', `The file contains no record of a supported feed (${known}).${hint}`);
}
