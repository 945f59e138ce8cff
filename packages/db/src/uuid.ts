import { v7, validate } from 'uuid';

/** A new id: UUIDv7, so that ids sort by the time they were made (RFC 9562). */
export function newId<Id extends string>(): Id {
  return v7() as Id; // The one place where ids are made.
}

/** Whether a text has the form of an id; what has not names nothing. */
export function isUuid(text: string): boolean {
  return validate(text);
}
