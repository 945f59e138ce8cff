import type { UploadId } from '@plimsoll/model';
import type { HistoryService, StoredChange } from './history-service.ts';
import { type NaiveEvent, type NaiveReport, type NaiveVersion, versionKey } from './naive-model.ts';
import type { SeededRandom } from './seeded-random.ts';
import { SimulatedFeeds } from './simulated-feeds.ts';
import { firstReport, nextReport, releases, type SimulatedRelease, snapshotOf } from './simulated-hosts.ts';

/** A host of the simulation. */
export interface SimulatedHost {
  readonly id: string;
  readonly hostname: string;
}

/** Days of a fleet: what happens to the service is noted as events. */
export class SimulatedDays {
  readonly events: NaiveEvent[] = [];
  /** Every version that was matched. */
  readonly versions = new Map<string, NaiveVersion>();
  /** Times at which every upload was matched. */
  readonly quiet: Date[] = [];
  private readonly random: SeededRandom;
  private readonly service: HistoryService;
  readonly hosts: readonly (SimulatedHost & { readonly release: SimulatedRelease })[];
  private readonly feeds: SimulatedFeeds;
  private readonly reports = new Map<string, NaiveReport>();
  private readonly incomparable = new Map<string, NaiveVersion>();
  /** Uploads that wait to be matched, by host. */
  private waiting = new Map<string, UploadId>();

  constructor(random: SeededRandom, service: HistoryService, hosts: readonly SimulatedHost[]) {
    this.random = random;
    this.service = service;
    this.hosts = hosts.map((host, index) => ({
      ...host,
      release: releases[index % releases.length] ?? 'debian:12',
    }));
    this.feeds = new SimulatedFeeds(random);
  }

  /** One day: uploads, imports, and now and then a change of lists and rules. */
  async pass(): Promise<void> {
    const { random } = this;
    for (let count = random.between(1, 4); count > 0; count--) await this.upload();
    const late = random.chance(0.2);
    if (!late) await this.match();
    if (random.chance(0.8)) await this.import();
    if (random.chance(0.15)) await this.listExploited();
    if (random.chance(0.1)) await this.correct();
    if (late) await this.match();
    if (this.incomparable.size > 0 && random.chance(0.15)) await this.changeRules();
    this.quiet.push(await this.service.passedTime());
  }

  /** Matches what waits, and lets the rules compare every version. */
  async settle(): Promise<void> {
    await this.match();
    if (this.incomparable.size > 0) await this.changeRules();
    this.quiet.push(await this.service.passedTime());
  }

  /** Everything that happened is some days older from now on. */
  age(days: number): void {
    const older = (at: Date): Date => new Date(at.getTime() - days * 24 * 3600 * 1000);
    for (const [index, event] of this.events.entries())
      this.events[index] = { ...event, at: older(event.at) };
    for (const [index, at] of this.quiet.entries()) this.quiet[index] = older(at);
  }

  private async upload(): Promise<void> {
    const { id, hostname, release } = this.random.pick(this.hosts);
    if (this.waiting.has(id)) return;
    const known = this.reports.get(id);
    const report =
      known === undefined ? firstReport(this.random, release) : nextReport(this.random, release, known);
    this.reports.set(id, report);
    const { id: upload, at } = await this.service.receive(id, snapshotOf(hostname, release, report));
    this.waiting.set(id, upload);
    this.events.push({ kind: 'upload', at, host: id, report });
    await this.service.passedTime();
  }

  private async match(): Promise<void> {
    if (this.waiting.size === 0) return;
    await this.service.match([...this.waiting.values()]);
    const reported = [...this.waiting.keys()].flatMap((host) => {
      const { packages = [], running = null } = this.reports.get(host) ?? {};
      return running === null ? packages : [...packages, running];
    });
    this.waiting = new Map();
    const fresh = new Map(
      reported
        .map((version) => [versionKey(version), version] as const)
        .filter(([key]) => !this.versions.has(key)),
    );
    if (fresh.size === 0) return;
    const incomparable = [...fresh.values()].filter(() => this.random.chance(0.1));
    await this.service.forget(incomparable);
    for (const [key, version] of fresh) this.versions.set(key, version);
    for (const version of incomparable) this.incomparable.set(versionKey(version), version);
    this.events.push({
      kind: 'matched',
      at: await this.service.passedTime(),
      versions: [...fresh.values()],
      incomparable: incomparable.map(versionKey),
    });
  }

  private async import(): Promise<void> {
    const { records, complete } = this.feeds.step();
    const begun = this.random.chance(0.1) ? await this.service.beginImport(records, complete) : [];
    // The process that comes after one that died imports the same.
    const [change] = [...begun, ...(await this.service.importRecords(records, complete))];
    if (change !== undefined) await this.note({ kind: 'import', ...change, records, complete });
  }

  private async listExploited(): Promise<void> {
    const cves = this.feeds.cves.filter(() => this.random.chance(0.25));
    const [change] = await this.service.importExploited(cves);
    if (change !== undefined) await this.note({ kind: 'exploited', ...change, cves });
  }

  private async correct(): Promise<void> {
    const corrections = this.feeds.corrections();
    const [change] = await this.service.correct(corrections);
    if (change !== undefined) await this.note({ kind: 'corrections', ...change, corrections });
  }

  private async changeRules(): Promise<void> {
    const { changes, releases: judged } = await this.service.applyRules();
    expect(changes).toHaveLength(judged.length);
    for (const [index, change] of changes.entries()) {
      const known = [...this.incomparable].filter(([, { release }]) => release === judged[index]);
      await this.note({ kind: 'rules', ...change, versions: known.map(([key]) => key) });
    }
    this.incomparable.clear();
  }

  private async note(event: NaiveEvent & StoredChange): Promise<void> {
    this.events.push(event);
    // At the very time of a change it has taken effect.
    if (this.waiting.size === 0) this.quiet.push(event.at);
    await this.service.passedTime();
  }
}
