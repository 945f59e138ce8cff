// Prints the SQL that leads from the committed prisma/schema.prisma to the one in the work tree. Needs a scratch database:
// `DATABASE_URL=postgres://… npm run migration:draft -w @plimsoll/db > prisma/migrations/<time>_<name>/migration.sql`
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { diffSchemas } from '../src/migrations/migrate.ts';

const root = process.env['PLIMSOLL_ROOT'] ?? process.cwd();
const databaseUrl = process.env['DATABASE_URL'];
if (databaseUrl === undefined) throw new Error('DATABASE_URL must name a scratch database');
const committed = process.argv.includes('--from-empty')
  ? null
  : execFileSync('git', ['show', 'HEAD:prisma/schema.prisma'], { cwd: root, encoding: 'utf8' });
const current = readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8');
process.stdout.write(await diffSchemas(databaseUrl, committed, current));
