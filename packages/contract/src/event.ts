import { pullStatuses, uploadStates } from '@plimsoll/model';
import { z } from 'zod';
import { id } from './field-types.ts';

/** What `GET /events` can tell of, in the order in which it does. */
export const serverEventNames = ['host', 'pull_job', 'upload', 'feed', 'fleet', 'resync'] as const;

/** One of `serverEventNames`. */
export type ServerEventName = (typeof serverEventNames)[number];

/** The data of each event of `GET /events`, as JSON. */
export const serverEventSchemas = {
  /** Hosts that came, changed in anything that is shown of them, or went. */
  host: z.strictObject({ created: z.array(id), changed: z.array(id), deleted: z.array(id) }),
  pull_job: z.strictObject({
    pull_jobs: z.array(z.strictObject({ id, host_id: id, status: z.enum(pullStatuses) })),
  }),
  /** Uploads that got further; that one was accepted is told to its sender alone. */
  upload: z.strictObject({
    uploads: z.array(z.strictObject({ id, host_id: id, state: z.enum(uploadStates) })),
  }),
  feed: z.strictObject({ feed_ids: z.array(z.string()) }),
  /** Counts of the fleet may have changed. */
  fleet: z.strictObject({}),
  /** Of these events some were lost, or were too many to list: fetch again what they would tell of. */
  resync: z.strictObject({ events: z.array(z.enum(serverEventNames)) }),
} as const satisfies Readonly<Record<ServerEventName, z.ZodType>>;

/** An event of `GET /events`. */
export type ServerEvent = {
  [Name in ServerEventName]: {
    readonly name: Name;
    readonly data: z.output<(typeof serverEventSchemas)[Name]>;
  };
}[ServerEventName];
