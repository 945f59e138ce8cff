import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/**
 * What is started before all tests of a file, or before each of them, and ended afterwards: an object that has the properties of
 * the one that is started now. Called where a file or a `describe` begins.
 */
export function startedPer<Started extends object>(
  scope: 'file' | 'test',
  start: () => Promise<Started>,
  end: (started: Started) => Promise<unknown>,
): Started {
  let current: Started;
  const [before, after] = scope === 'file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    current = await start();
  });
  after(() => end(current));
  return new Proxy({} as Started, { get: (_target, name) => Reflect.get(current, name) });
}

/** A migrated database of all tests of a file. */
export function databasePerFile(): TestDatabase {
  return startedPer('file', createTestDatabase, (database) => database.drop());
}

/** A migrated database for each test. */
export function databasePerTest(): TestDatabase {
  return startedPer('test', createTestDatabase, (database) => database.drop());
}

/** A new folder for the tests of a file or a `describe`, removed after them. Called where it begins. */
export function folderPerFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
