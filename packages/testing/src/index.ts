export { ageHistory } from './age-history.ts';
export type { TarEntry } from './archives.ts';
export { tarOf, zstdOf } from './archives.ts';
export { bzip2Of } from './bzip2-file.ts';
export { differences } from './cases/differences.ts';
export { type HostCase, readCases } from './cases/host-case.ts';
export { judgeCase } from './cases/judge-case.ts';
export { collectedBefore } from './cases/report-times.ts';
export type { Answer, Client, EnrolledHost } from './client.ts';
export { setUpClient, signInClient, testAdmin, textOf } from './client.ts';
export { compareCounts } from './counts/compare-counts.ts';
export type { CountCheck, CountReader } from './counts/count-reader.ts';
export { createCountReader, differing } from './counts/count-reader.ts';
export { compareBulletin, comparePlan, compareWaivers } from './counts/document-counts.ts';
export { compareFindings, compareHostDates, compareSearches } from './counts/finding-counts.ts';
export { comparePreviews } from './counts/fleet-numbers.ts';
export { type CountedHost, compareFleet } from './counts/host-counts.ts';
export { compareVex } from './counts/vex-comparison.ts';
export { circumstance, describeWhere } from './describe-where.ts';
export { enrolHost, enrolmentOf, issueToken } from './enrol-by-store.ts';
export { listening, withProxy } from './forward-proxy.ts';
export { databasePerFile, databasePerTest, folderPerFile, startedPer } from './fresh-per-test.ts';
export { insertManyHosts } from './insert-many-hosts.ts';
export { type ProviderAccount, startOidcProvider, type TestOidcProvider } from './oidc-provider.ts';
export {
  missingCommands,
  missingForPrivateHost,
  newFolder,
  type PrivateHost,
  privateHost,
} from './private-host.ts';
export { processesBelow } from './processes-below.ts';
export { runCommand, type ScriptResult } from './run-command.ts';
export { sshKeyFile } from './ssh-key-file.ts';
export type { SshdHostKey } from './sshd-host-key.ts';
export { createSshdHostKey } from './sshd-host-key.ts';
export type { ServiceOptions, TestQueue, TestService } from './start-service.ts';
export { startService } from './start-service.ts';
export type { SshdOptions, TestSshd } from './start-sshd.ts';
export { sshdPath, startSshd } from './start-sshd.ts';
export type { TestDatabase } from './test-database.ts';
export {
  createTestDatabase,
  onDatabase,
  testHostScripts,
  testPostgresUrl,
  testRedisUrl,
  withEmptyDatabase,
} from './test-database.ts';
export type { TestLogin } from './test-login.ts';
export { createTestLogin, currentLogin } from './test-login.ts';
export { migrateTestDatabase, testRoles, testUrlOf } from './test-roles.ts';
export { startTestServers } from './test-servers.ts';
export { waitFor } from './wait-for.ts';
export { type TextFile, zipOf } from './zip-file.ts';
