import {
  type AssessmentStore,
  assessStoredHost,
  createAssessmentStore,
  createExposureStore,
  createHostHistory,
  createKnowledgeMemories,
  type HostExposure,
  type HostToAssess,
} from '@plimsoll/db';
import type { TestDatabase } from '@plimsoll/testing';
import { originOf } from '../../src/operations/packages/finding-background.ts';
import { exposureLine } from './naive-exposures.ts';
import { findingLine } from './naive-hosts.ts';

/** What the service answers about hosts, in the lines of the simulator. */
export interface StoredFindings {
  /** The findings of a host now. */
  now(host: string): Promise<readonly string[]>;
  /** The findings of what a host had at a time, by what was known then or is known now. */
  at(host: string, at: Date, known: 'then' | 'now'): Promise<readonly string[]>;
  /** `package version advisory time`. */
  firstSeen(host: string): Promise<readonly string[]>;
  exposures(host: string): Promise<readonly string[]>;
  /** The exposures to a CVE, as its endpoint has them, read in pages. */
  exposuresOfCve(cve: string): Promise<readonly HostExposure[]>;
}

/** Every exposure but those with the severity none. */
const filter = { from: null, to: null, severity: null, open: null };

/** The answers of one database, with the rights of the API. */
export function storedFindings(database: TestDatabase): StoredFindings {
  const db = database.as('api');
  const memories = createKnowledgeMemories(db);
  const assessments = createAssessmentStore(db, memories);
  const history = createHostHistory(db, memories);
  const exposures = createExposureStore(db);
  return {
    async now(host) {
      const stored = await assessments.load(host);
      return stored === null ? [] : linesOf(stored);
    },
    async at(host, at, known) {
      const then = await history.find(host, { kind: 'at', at }, known);
      return then === null ? [] : linesOf(then.host);
    },
    async firstSeen(host) {
      const stored = await assessments.load(host);
      return stored === null ? [] : firstSeen(assessments, stored);
    },
    async exposuresOfCve(cve) {
      const all: HostExposure[] = [];
      for (;;) {
        const page = await exposures.ofCve(cve, filter, { limit: 7, after: all.at(-1) ?? null, tags: [] });
        all.push(...page.exposures);
        if (page.exposures.length === 0) {
          expect(page.total).toBe(all.length);
          return all;
        }
      }
    },
    async exposures(host) {
      const { exposures: found } = await exposures.ofHost(host, filter);
      return found.map(storedLine).sort();
    },
  };
}

/** An exposure in a line of the simulator. */
export const storedLine = (exposure: HostExposure): string =>
  exposureLine({ ...exposure, id: exposure.advisoryId, name: exposure.packageName });

function linesOf(host: HostToAssess): readonly string[] {
  return assessStoredHost(host)
    .findings.map(({ name, installedVersion, severity, fixedVersion, knownExploited, advisories }) =>
      findingLine({
        name,
        version: installedVersion,
        severity,
        fixed: fixedVersion,
        exploited: knownExploited,
        advisories: advisories.map(({ statement }) => ({
          id: statement.externalId,
          severity: statement.severity,
          fixed: statement.fix.kind === 'fixed' ? statement.fix.version : null,
          exploited: statement.knownExploited,
        })),
      }),
    )
    .sort();
}

async function firstSeen(assessments: AssessmentStore, host: HostToAssess): Promise<readonly string[]> {
  const pairs = assessStoredHost(host).findings.flatMap((finding) =>
    finding.advisories.map((advisory) => ({ finding, advisory })),
  );
  const dates = await assessments.firstSeen(
    host,
    pairs.map(({ finding, advisory }) => originOf(finding, advisory, host)),
  );
  return pairs
    .map(({ finding: { name, installedVersion }, advisory }, index) =>
      [name, installedVersion, advisory.statement.externalId, dates[index]?.toISOString()].join(' '),
    )
    .sort();
}
