/** Folders and files that mutations change, from the root. */
export const advisories = 'packages/advisories/src';
export const matching = `${advisories}/matching`;
export const debian = `${advisories}/distributions/debian`;
export const ubuntu = `${advisories}/distributions/ubuntu`;
export const rpm = `${advisories}/rpm`;
export const host = `${advisories}/host`;
export const kernel = `${advisories}/kernel/running-kernel.ts`;
export const versions = 'packages/versions/src';
export const due = `${advisories}/due`;
export const waivers = `${advisories}/waivers`;
export const database = 'packages/db/src';
export const notifications = `${database}/outbox`;
