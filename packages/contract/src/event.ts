import { pullStatuses, uploadStates } from '@plimsoll/model';
import { z } from 'zod';
import { id } from './field-types.ts';

/** The events of `GET /events`, in the order in which they are sent. */
export const serverEventNames = ['host', 'pull_job', 'upload', 'feed', 'fleet', 'resync'] as const;

/** One of `serverEventNames`. */
export type ServerEventName = (typeof serverEventNames)[number];

/** The data of each event of `GET /events`, as JSON. */
export const serverEventSchemas = {
  /** Hosts that were created, deleted, or changed in a displayed value. */
  host: z.strictObject({ created: z.array(id), changed: z.array(id), deleted: z.array(id) }),
  pull_job: z.strictObject({
    pull_jobs: z.array(z.strictObject({ id, host_id: id, status: z.enum(pullStatuses) })),
  }),
  /** Uploads whose state advanced; acceptance is reported only to the sender. */
  upload: z.strictObject({
    uploads: z.array(z.strictObject({ id, host_id: id, state: z.enum(uploadStates) })),
  }),
  feed: z.strictObject({ feed_ids: z.array(z.string()) }),
  /** Counts of the fleet may have changed. */
  fleet: z.strictObject({}),
  /** Some of these events were lost or too numerous to list: fetch the affected data again. */
  resync: z.strictObject({ events: z.array(z.enum(serverEventNames)) }),
} as const satisfies Readonly<Record<ServerEventName, z.ZodType>>;

/** An event of `GET /events`. */
export type ServerEvent = {
  [Name in ServerEventName]: {
    readonly name: Name;
    readonly data: z.output<(typeof serverEventSchemas)[Name]>;
  };
}[ServerEventName];
