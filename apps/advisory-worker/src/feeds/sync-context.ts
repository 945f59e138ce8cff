import type { WorkerContext } from '../worker-context.ts';
import type { FeedAccess } from './feed-access.ts';

/** The dependencies of one sync. */
export interface SyncContext extends WorkerContext, FeedAccess {}
