import { z } from 'zod';

const digestShape = z.object({ every: z.enum(['day', 'week']), at: z.string(), time_zone: z.string() });
const quietShape = z.object({ from: z.string(), to: z.string(), time_zone: z.string() });

/** Events of a day, or of a week that ends on Monday, in one message at a local time (`HH:MM`). */
export type Digest = z.output<typeof digestShape>;

/** Local times (`HH:MM`) between which nothing is sent; `from` may be after `to`, for a night. */
export type QuietHours = z.output<typeof quietShape>;

/** The stored form of a digest; null without one. */
export function parseDigest(stored: unknown): Digest | null {
  return stored === null ? null : digestShape.parse(stored);
}

/** The stored form of quiet hours; null without any. */
export function parseQuietHours(stored: unknown): QuietHours | null {
  return stored === null ? null : quietShape.parse(stored);
}
