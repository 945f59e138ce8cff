import { type DiskSpace, diskSpace, leastFreeBytes } from '@plimsoll/embedded/disk-space';
import { systemErrorCode } from '@plimsoll/model';
import { type Finding, fault, ok, unknown, warning } from './run-check.ts';

/** A folder that the service writes. */
export interface CheckedFolder {
  readonly name: 'data' | 'logs' | 'downloads' | 'backups';
  readonly path: string;
}

/** The space of a folder, or why it is not known. */
export type FolderSpace = CheckedFolder &
  ({ readonly space: DiskSpace } | { readonly space: null; readonly reason: string });

/** Below this part of a disk, or these bytes, a warning is due. */
const lowPart = 0.1;
const lowBytes = 2 ** 30;

/** Reads the space of each folder. Never rejects. */
export async function readSpaces(
  folders: readonly CheckedFolder[],
  spaceOf: (folder: CheckedFolder) => Promise<DiskSpace> = (folder) => diskSpace(folder.path),
): Promise<readonly FolderSpace[]> {
  return Promise.all(
    folders.map((folder) =>
      spaceOf(folder).then(
        (space) => ({ ...folder, space }),
        (error: unknown) => ({ ...folder, space: null, reason: systemErrorCode(error) ?? String(error) }),
      ),
    ),
  );
}

/** Whether the disks of the folders have space for the servers and for what is to come. */
export function diskCheck(spaces: readonly FolderSpace[]): Finding {
  const says = spaces.map(words).join(', ');
  const frees = spaces.flatMap(({ space }) => (space === null ? [] : [space]));
  if (frees.some(({ free }) => free < leastFreeBytes))
    return fault(`A disk is full: ${says}.`, 'Make space: docs/operations/disk-full.md.');
  if (frees.some(({ free, size }) => free < Math.min(lowBytes, size * lowPart)))
    return warning(`A disk is nearly full: ${says}.`, 'Make space: docs/operations/disk-full.md.');
  return frees.length < spaces.length || spaces.length === 0
    ? unknown(`Not every folder can be looked at: ${says}.`)
    : ok(`Free space: ${says}.`);
}

function words(folder: FolderSpace): string {
  if (folder.space === null) return `${folder.path} (${folder.name}): not known, ${folder.reason}`;
  const { free, size } = folder.space;
  return `${folder.path} (${folder.name}): ${megabytes(free)} of ${megabytes(size)} MB`;
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)}`;
}
