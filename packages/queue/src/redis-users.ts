import type { ServiceApp } from '@plimsoll/model';
import { appQueues } from './app-queues.ts';

/**
 * What BullMQ and ioredis call, as rules of a Redis ACL: commands on keys, which `~` binds to the queues of an app, and
 * of the others those alone that they need. Scripts are bound like their callers. SORT, KEYS and their like are
 * `@dangerous`; INFO is, too, but BullMQ asks it for the version. Redis 6.2 knows all of these words.
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

/** A user of Redis for one app. */
export interface RedisAppUser {
  /** `plimsoll-report-worker` for the prefix `{plimsoll}`: users belong to the whole server. */
  readonly name: string;
  /** What it may do, in the words of `ACL SETUSER`, without its password. */
  readonly rules: string;
}

/** The Redis user of an app, for queues whose keys begin with `prefix`. */
export function redisUserOf(app: ServiceApp, prefix: string): RedisAppUser {
  return { name: `${prefix.slice(1, -1)}-${app}`, rules: redisRules(appQueues[app], prefix) };
}

/** What a user may do who rings for some jobs and takes them, in the words of `ACL SETUSER`. */
export function redisRules(jobNames: readonly string[], prefix: string): string {
  return [...jobNames.map((job) => `~${prefix}:${job}:*`), commandRules].join(' ');
}
