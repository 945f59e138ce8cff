import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Finding, findingsOf } from '@plimsoll/advisories';
import type { AlikeBatch, AlikeHosts } from '@plimsoll/db';
import { groupBy, type HostId } from '@plimsoll/model';
import type { ApiStores } from '../../stores.ts';
import { judgedId } from '../packages/finding-background.ts';
import { type PackageOnHost, packageComponent } from './package-component.ts';
import { VexContent, type VexHost } from './vex-content.ts';
import { versionsOf, vulnerabilitiesOf } from './vulnerabilities.ts';

interface Gathering {
  /** The only vulnerability that counts; null: all. */
  readonly cve: string | null;
  readonly signal: AbortSignal;
  /** Called when the first package is found. */
  onFound(): void;
}

/** What is said of hosts, as of one moment. Hosts without a report are not in it. */
export async function gatherVex(
  { alikeHosts }: Pick<ApiStores, 'alikeHosts'>,
  hosts: readonly (VexHost & { readonly id: HostId })[],
  { cve, signal, onFound }: Gathering,
): Promise<VexContent> {
  const content = new VexContent(hosts);
  const packages = new FoundPackages(content, cve);
  const ids = hosts.map(({ id }) => id);
  await alikeHosts.each(ids, { cve, signal }, async (batch) => {
    for (const alike of batch.hosts) {
      content.add(alike.hostIds, packages.of(alike, batch));
      await nextTurn();
    }
    if (content.packages.length > 0) onFound();
  });
  return content;
}

/** The packages of hosts with what is said of them. */
class FoundPackages {
  readonly #content: VexContent;
  readonly #cve: string | null;
  /** The bom-refs of package versions on a platform. */
  readonly #refs = new Map<string, string>();

  constructor(content: VexContent, cve: string | null) {
    this.#content = content;
    this.#cve = cve;
  }

  /** Numbers of packages of the content. */
  of({ part, platform, feedId }: AlikeHosts, { versions, details }: AlikeBatch): readonly number[] {
    const running = part.runningKernel?.id ?? null;
    const installed = new Set(part.packages.map(({ id }) => id));
    const times = new Map<string, number>();
    const numbers: number[] = [];
    for (const [id, findings] of groupBy(this.#concerned(findingsOf(part)), (one) =>
      judgedId(one, running),
    )) {
      const version = versions.get(id);
      if (version === undefined) continue;
      const onHost = { version, held: part.facts.held.has(id), isInstalled: installed.has(id) };
      const place = JSON.stringify([id, platform]);
      const ref = this.#refOf(place, onHost, platform);
      const time = (times.get(ref) ?? 0) + 1;
      times.set(ref, time);
      const key = `${place} ${feedId} ${onHost.held} ${onHost.isInstalled} ${time} ${saidIn(findings)}`;
      numbers.push(
        this.#content.numberOf(key, () => {
          const component = packageComponent(onHost, platform);
          const background = { feed: feedId ?? 'none', details, cveFacts: new Map() };
          return {
            component: time === 1 ? component : { ...component, 'bom-ref': `${ref}#${time}` },
            versions: findings.slice(0, 1).flatMap(versionsOf),
            said: findings
              .flatMap((finding) => vulnerabilitiesOf(finding, background))
              .filter(({ id: name }) => this.#cve === null || name === this.#cve),
          };
        }),
      );
    }
    return numbers;
  }

  #refOf(place: string, onHost: PackageOnHost, platform: AlikeHosts['platform']): string {
    const ref = this.#refs.get(place) ?? packageComponent(onHost, platform)['bom-ref'];
    this.#refs.set(place, ref);
    return ref;
  }

  /** The findings with advisories that name the CVE. */
  #concerned(findings: readonly Finding[]): readonly Finding[] {
    const cve = this.#cve;
    if (cve === null) return findings;
    return findings.filter(({ advisories }) =>
      advisories.some(({ statement: { cves, externalId } }) =>
        cves.length === 0 ? externalId === cve : cves.includes(cve),
      ),
    );
  }
}

/** Equal only if the same is said of the package that findings are of. */
function saidIn(findings: readonly Finding[]): string {
  const parts: (string | number)[] = [];
  for (const { installedVersion, advisories } of findings) {
    parts.push(installedVersion);
    for (const { statement, fixState, waiver } of advisories)
      parts.push(statement.statementId, fixState, waiver?.id ?? '');
  }
  return parts.join(' ');
}
