import { v7, validate } from 'uuid';

/** A new UUIDv7 (RFC 9562); ids sort by creation time. */
export function newId<Id extends string>(): Id {
  return v7() as Id; // The only place that creates ids.
}

/** Whether a text has the form of an id. Other texts identify nothing. */
export function isUuid(text: string): boolean {
  return validate(text);
}
