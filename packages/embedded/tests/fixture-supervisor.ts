/** A process that starts private servers below the folder in its first argument; a test then kills it. */
import { startPostgres } from '../src/postgres/start-postgres.ts';
import { startRedis } from '../src/redis/start-redis.ts';

const [, , dataDir = '', server = '', searchPath = ''] = process.argv;
const onLog = (): void => undefined;
const started =
  server === 'postgres'
    ? await startPostgres({ dataDir, onLog })
    : await startRedis({ dataDir, searchPath, onLog });
process.stdout.write(`${JSON.stringify({ url: started?.url })}\n`);
