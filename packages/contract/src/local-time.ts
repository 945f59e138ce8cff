import { z } from 'zod';
import { text } from './field-types.ts';

/** A local time of day. */
export const localTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 08:30' });

/** The name of a time zone. */
export const timeZone = text(1, 64).refine((zone) => isTimeZone(zone), {
  error: 'must be a time zone such as Europe/Berlin or UTC',
});

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
