import { getHeapSnapshot } from 'node:v8';
import {
  createConditionWatch,
  createEventCollector,
  createExposureWalkStore,
  createFleetStore,
  createHostWatch,
  createNotificationRounds,
  createPatchRhythmStore,
  createRepositoryStore,
  createSetPostingStore,
  createUnusedRowStore,
} from '@plimsoll/db';
import { uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost } from './api-under-test.ts';
import { debianRecord } from './debian-fleet.ts';
import { enrolmentRequests } from './enrolment-requests.ts';
import { sendHostileDay } from './hostile-day.ts';
import { addRoute } from './notified.ts';
import { createUploadWork, importOsv } from './pipeline.ts';
import { sampleSnapshot } from './sample-snapshot.ts';
import { tableSizes } from './table-sizes.ts';

/** Uploads of each hostile host. `npm run test:growth` sends as many as a host may in a day. */
const uploads = Number(process.env['PLIMSOLL_GROWTH_UPLOADS'] ?? 16);
/** A look at the whole memory of this process takes a minute. */
const looksAtMemory = 'PLIMSOLL_GROWTH_UPLOADS' in process.env;

/** The kinds of texts in caches whose bytes are bounded: of ids by packages and updates, of decoded ones, of counted facts. */
const cached = words('os package source vendor suite offered origin os reason service failure booted kernel');

/** Tables that such a day fills, and that are as before once its hosts are deleted. */
const filled =
  words(`exposure_counts exposure_walks finding_lists host_access_tokens host_changes host_contacts host_refreshes
  host_repositories host_state hosts notification_hosts package_changes package_sets package_version_advisories
  package_versions patch_rhythms releases repositories snapshots upgrades upload_allowances uploads version_arrivals`);
/** Tables that keep rows for as long as settings say, or for each registration token. */
const kept = words('audit_events shared_allowances');
/** Tables that such a day does not touch. */
const untouched =
  words(`_prisma_migrations advisories advisory_packages api_keys audit_chain audit_exports collectors cves
  downloads enrolments evidence_keys exposure_walk_state feed_files feed_import_chunks feed_imports feed_overrides
  feed_releases feed_syncs feeds fleet_days fleet_tag_days folded_snapshots history_bounds host_groups instances
  interning_epoch invitations judgements_due knowledge_change_entries mail_confirmations retention_clock knowledge_changes notification_attempts notification_bulletins
  notification_channels notification_conditions notification_deliveries notification_events notification_keys
  notification_routes passkeys past_advisories past_cve_facts past_matches past_statements plan_hosts plans policies
  posted_blocks pull_jobs rate_limits recount_pieces recovery_codes registration_tokens release_coverage release_lifecycles
  repository_products rounds schema_state sessions set_postings sign_in_challenges spent_sign_ins ssh_key_pairs
  ssh_targets totp_secrets user_identities users version_changes waivers`);

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

const api = apiPerFile();
let work: ReturnType<typeof createUploadWork>;
beforeAll(async () => {
  work = createUploadWork(api.database);
  const events = 'finding.new finding.due_soon disagreement.jumped host.enrolled host.pending host.stale';
  await addRoute(api.database, words(events));
});

/** What the workers and the scheduler do besides. */
async function upkeep(): Promise<void> {
  const [worker, scheduler, notifier] = (['advisory-worker', 'scheduler', 'notify-worker'] as const).map(
    (app) => api.database.as(app),
  );
  if (worker === undefined || scheduler === undefined || notifier === undefined)
    throw new Error('no database');
  await createExposureWalkStore(worker).walk(new AbortController().signal);
  await createPatchRhythmStore(scheduler).learnDue(500);
  await createFleetStore(scheduler).noteDay(new Date());
  await createConditionWatch(notifier).look();
  await createHostWatch(notifier).look();
  await createEventCollector(notifier, (_route, now) => ({ kind: 'alone', at: now })).collect(10_000);
  // Sent, and older than what is kept.
  await api.database.db.pool.query(
    `UPDATE notification_deliveries SET state = 'delivered', ended_at = now()`,
  );
  await createNotificationRounds(scheduler).dropEnded(new Date(Date.now() + 1000));
  await createSetPostingStore(scheduler).post();
  await createRepositoryStore(scheduler).dropUnused();
}

async function collect(): Promise<void> {
  const { collect: look } = createUnusedRowStore(api.database.as('scheduler'));
  for (let changed = 1; changed > 0; ) {
    const found = await look();
    changed = found === null ? 0 : found.condemned + found.deleted;
  }
}

/** Every list, so that the API has loaded what it remembers. */
async function readAll(): Promise<void> {
  for (const path of ['hosts', 'advisories', 'repositories', 'search?q=hostile', 'findings'])
    expect((await api.admin.get(`/api/v1/${path}`)).status).toBe(200);
}

/** The distinct texts in the memory of this process that contain a mark, by the word after it. */
async function remembered(mark: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  let rest = '';
  const expression = new RegExp(`${mark}-([a-z]+)`, 'g');
  for await (const chunk of getHeapSnapshot()) {
    const text = rest + String(chunk);
    for (const [, word = ''] of text.matchAll(expression)) counts[word] = (counts[word] ?? 0) + 1;
    rest = text.slice(-40);
  }
  return counts;
}

it('a day of hostile hosts is gone once they are deleted, from every table and from memory', async () => {
  const requests = enrolmentRequests(api);
  const tokens = [await requests.issue({ auto_approve: true, max_uses: 2 }), await requests.issue()];
  const enrolled = async (n: number): Promise<EnrolledHost> => {
    const { body } = await requests.register(tokens[n]?.token ?? '');
    return { id: body.host_id, token: body.host_access_token };
  };
  await importOsv(api.database, [debianRecord('DSA-1-1', 'openssh', { fixed: '1:9.2p1-3' })]);
  const good = await enrolled(0);
  const report = async (changes = {}) =>
    work([(await uploadBytes(api, good, sampleSnapshot(changes))).body.snapshot_id]);
  await report();
  await upkeep();
  await readAll();
  const before = await tableSizes(api.database);
  expect([...before.keys()].sort()).toEqual([...filled, ...kept, ...untouched].sort());

  // One that is approved, and one that is not.
  const hosts = [await enrolled(0), await enrolled(1)];
  for (const [n, host] of hosts.entries())
    await sendHostileDay(api, host, { uploads, mark: `host${n}` }, (id) => work([id]));
  await upkeep();
  await readAll();
  const full = await tableSizes(api.database);
  expect(filled.filter((table) => (full.get(table) ?? 0) <= (before.get(table) ?? 0))).toEqual([]);
  expect(full.get('releases')).toBeGreaterThan(10);

  for (const { id } of hosts) expect((await api.admin.delete(`/api/v1/hosts/${id}`)).status).toBe(204);
  await collect();
  // Has another epoch of interned rows begin in every process.
  await report({ moduleStreams: [{ name: 'new', stream: 'content', enabled: true }] });
  await report();
  await upkeep();
  await collect();
  await readAll();
  const after = await tableSizes(api.database);
  const isBack = (table: string) => !kept.includes(table);
  const expected = new Map(before);
  // Of the two reports since.
  for (const table of ['snapshots', 'uploads']) expected.set(table, (before.get(table) ?? 0) + 2);
  const rows = (sizes: ReadonlyMap<string, number>) =>
    Object.fromEntries([...sizes].filter(([table]) => isBack(table)));
  expect(rows(after)).toEqual(rows(expected));
  if (looksAtMemory) {
    const left = await remembered('hostile');
    // Bounded caches keep the texts of packages, updates and counted facts. Nothing else is kept for each upload.
    const perUpload = Object.entries(left).filter(([, texts]) => texts >= uploads);
    expect(perUpload.map(([kind]) => kind).filter((kind) => !cached.includes(kind))).toEqual([]);
  }
}, 3_600_000);
