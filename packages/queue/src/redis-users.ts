import type { ServiceApp } from '@plimsoll/model';
import { appQueues } from './jobs.ts';

/**
 * The commands that BullMQ and ioredis call, as Redis ACL rules: all commands on keys, which `~` limits to the app's
 * queues, and of the others only those needed. Scripts have the limits of their callers. SORT, KEYS and similar ones
 * are `@dangerous`; INFO is too, but BullMQ reads the server version from it. Redis 6.2 supports all of these terms.
 */
const commandRules = [
  'resetchannels',
  '-@all',
  ...['string', 'hash', 'list', 'set', 'sortedset', 'stream'].map((category) => `+@${category}`),
  '-@dangerous',
  ...['del', 'unlink', 'exists', 'type', 'rename', 'pttl', 'expire', 'pexpire', 'pexpireat', 'persist'].map(
    (command) => `+${command}`,
  ),
  ...['eval', 'evalsha', 'script|load', 'script|exists', 'multi', 'exec', 'discard'].map(
    (command) => `+${command}`,
  ),
  ...['ping', 'info', 'time', 'select', 'client|setname'].map((command) => `+${command}`),
].join(' ');

/** A Redis user for one app. */
export interface RedisAppUser {
  /** For example `plimsoll-report-worker` for the prefix `{plimsoll}`: users are shared by the whole server. */
  readonly name: string;
  /** Its permissions in the syntax of `ACL SETUSER`, without a password. */
  readonly rules: string;
}

/** The Redis user of an app, for queues whose keys begin with `prefix`. */
export function redisUserOf(app: ServiceApp, prefix: string): RedisAppUser {
  return { name: `${prefix.slice(1, -1)}-${app}`, rules: redisRules(appQueues[app], prefix) };
}

/** The permissions of a user that rings and consumes the given jobs, in the syntax of `ACL SETUSER`. */
export function redisRules(jobNames: readonly string[], prefix: string): string {
  return [...jobNames.map((job) => `~${prefix}:${job}:*`), commandRules].join(' ');
}
