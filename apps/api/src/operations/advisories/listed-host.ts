import type { HostPart, ListedHost, ListedHostCursor } from '@plimsoll/db';
import { z } from 'zod';

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

/** The place of a host in a list by display name, in a cursor. */
export const hostPlaceSchema = z
  .strictObject({
    n: z
      .string()
      .max(400)
      .refine((name) => !name.includes('\0')),
    i: z.uuid(),
  })
  .transform(({ n, i }): ListedHostCursor => ({ displayName: n, id: i }));

/** The place of a listed host. */
export function hostPlaceOf({ listed }: { readonly listed: ListedHost }): z.input<typeof hostPlaceSchema> {
  return { n: listed.displayName, i: listed.id };
}
