import type { HostPart, ListedHost, ListedHostCursor } from '@plimsoll/db';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';

/** Default page size for hosts. */
export const defaultHostLimit = 100;

/** A host as these lists show it. */
export function listedHostAnswer(host: ListedHost) {
  return {
    host_id: host.id,
    display_name: host.displayName,
    hostname: host.hostname,
    os_name: host.osName,
    os_version: host.osVersion,
    tags: [...host.tags],
  };
}

/** Asks `of` once for each part that hosts share; null: for hosts without one. */
export function oncePerPart<Outcome>(
  of: (part: HostPart | null) => Outcome,
): (part: HostPart | null) => Outcome {
  const known = new Map<HostPart | null, Outcome>();
  return (part) => {
    const found = known.get(part);
    if (found !== undefined) return found;
    const outcome = of(part);
    known.set(part, outcome);
    return outcome;
  };
}

const cursorSchema = z.strictObject({
  n: z
    .string()
    .max(400)
    .refine((name) => !name.includes('\0')),
  i: z.uuid(),
});

/** The place of a host in a list by display name. */
export function writeHostCursor({ displayName, id }: ListedHost): string {
  return encodeCursor({ n: displayName, i: id } satisfies z.output<typeof cursorSchema>);
}

/** The place written by `writeHostCursor`; throws `validation_failed` for any other text. */
export function readHostCursor(cursor: string | undefined): ListedHostCursor | null {
  if (cursor === undefined) return null;
  const { n, i } = decodeCursor(cursor, cursorSchema);
  return { displayName: n, id: i };
}
