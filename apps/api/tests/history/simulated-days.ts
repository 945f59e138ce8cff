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

/** An upload that waits to be matched. */
interface WaitingUpload {
  readonly id: UploadId;
  readonly host: string;
  readonly report: NaiveReport;
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
  /** In the order in which they came. */
  private waiting: readonly WaitingUpload[] = [];

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
    await this.uploadSome();
    const late = random.chance(0.2);
    if (!late) await this.match();
    if (random.chance(0.8)) await this.import();
    if (random.chance(0.15)) await this.listExploited();
    if (random.chance(0.1)) await this.correct();
    if (late) {
      await this.uploadSome();
      await this.match();
    }
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

  private async uploadSome(): Promise<void> {
    for (let count = this.random.between(1, 4); count > 0; count--) {
      const host = this.random.pick(this.hosts);
      await this.upload(host);
      while (this.random.chance(0.2)) await this.upload(host);
    }
  }

  private async upload({ id: host, hostname, release }: (typeof this.hosts)[number]): Promise<void> {
    const known = this.reports.get(host);
    const report =
      known === undefined ? firstReport(this.random, release) : nextReport(this.random, release, known);
    this.reports.set(host, report);
    const { id, at } = await this.service.receive(host, snapshotOf(hostname, release, report));
    this.waiting = [...this.waiting, { id, host, report }];
    this.events.push({ kind: 'upload', at, host, report });
    await this.service.passedTime();
  }

  /** Matches what waits: of the uploads of one host all at once, or the newest one before the others. */
  private async match(): Promise<void> {
    const uploads = this.waiting;
    const newest = [...new Map(uploads.map((upload) => [upload.host, upload])).values()];
    const others = uploads.filter((upload) => !newest.includes(upload));
    this.waiting = [];
    if (others.length > 0 && this.random.chance(0.5)) {
      await this.matchSome(newest, newest);
      await this.matchSome(others, newest);
    } else await this.matchSome(uploads, newest);
  }

  private async matchSome(
    uploads: readonly WaitingUpload[],
    newest: readonly WaitingUpload[],
  ): Promise<void> {
    if (uploads.length === 0) return;
    const states = await this.service.match(uploads.map(({ id }) => id));
    expect(states).toEqual(uploads.map((upload) => (newest.includes(upload) ? 'matched' : 'superseded')));
    const reported = uploads.flatMap(({ report: { packages, running } }) =>
      running === null ? packages : [...packages, running],
    );
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
    if (this.waiting.length === 0) this.quiet.push(event.at);
    await this.service.passedTime();
  }
}
