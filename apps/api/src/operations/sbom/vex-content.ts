import { createHash } from 'node:crypto';
import type { SbomComponent, SbomVulnerability } from '@plimsoll/contract';
import type { SaidVulnerability } from './vulnerabilities.ts';

/** A host as a product of VEX documents. */
export interface VexHost {
  readonly id: string;
  readonly name: string;
}

/** A package as hosts have it, with what is said of it. */
export interface VexPackage {
  readonly component: SbomComponent;
  readonly versions: SbomVulnerability['affects'][number]['versions'];
  /** Numbers in `vulnerabilities`, in the order in which they were given, each once. */
  readonly vulnerabilities: readonly number[];
}

/** A host of a document, and numbers in `packages`. */
export interface HostPackages {
  readonly host: VexHost;
  readonly packages: readonly number[];
}

/**
 * What documents say of hosts. A package of which the same is said on many hosts is kept once, and the packages of equal hosts
 * once, so that a host takes a few bytes.
 */
export class VexContent {
  /** By number. */
  readonly vulnerabilities: SaidVulnerability[] = [];
  /** By number. */
  readonly packages: VexPackage[] = [];
  readonly #hosts: readonly VexHost[];
  readonly #position: ReadonlyMap<string, number>;
  /** The number of what is said of each host; -1: nothing is known of it. */
  readonly #contentOf: Int32Array;
  readonly #contents: (readonly number[])[] = [];
  readonly #numbers = new Map<string, number>();

  /** @param hosts in the order of the document. Those that are not added are not in it. */
  constructor(hosts: readonly VexHost[]) {
    this.#hosts = hosts;
    this.#position = new Map(hosts.map(({ id }, n) => [id, n]));
    this.#contentOf = new Int32Array(hosts.length).fill(-1);
  }

  /** The number of a package, whose content is made only if the key is new; the same key is of the same content. */
  numberOf(
    key: string,
    make: () => Pick<VexPackage, 'component' | 'versions'> & { readonly said: readonly SaidVulnerability[] },
  ): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const { component, versions, said } = make();
    const vulnerabilities = [...new Set(said.map((one) => this.#vulnerability(one)))];
    const number = this.packages.push({ component, versions, vulnerabilities }) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** Adds equal hosts with the numbers of their packages. A host has a component once. */
  add(hostIds: readonly string[], packages: readonly number[]): void {
    const content = this.#contents.push(packages) - 1;
    for (const id of hostIds) {
      const position = this.#position.get(id);
      if (position !== undefined) this.#contentOf[position] = content;
    }
  }

  /** The hosts that were added, with all their packages. */
  *hosts(): Iterable<HostPackages> {
    for (const [n, host] of this.#hosts.entries()) {
      const packages = this.#contents[this.#contentOf[n] ?? -1];
      if (packages !== undefined) yield { host, packages };
    }
  }

  /** The hosts that have any of some packages, with those of them that they have. */
  *hostsWith(wanted: readonly number[]): Iterable<HostPackages> {
    const index = this.#contentsByPackage();
    const found: number[][] = [];
    for (const number of wanted)
      for (const content of index[number] ?? []) {
        const own = found[content];
        if (own === undefined) found[content] = [number];
        else own.push(number);
      }
    for (const [n, host] of this.#hosts.entries()) {
      const packages = found[this.#contentOf[n] ?? -1];
      if (packages !== undefined) yield { host, packages };
    }
  }

  /** SHA-256 of all that is said, equal for equal content. */
  digest(): string {
    const digests = this.packages.map(({ component, versions, vulnerabilities }) =>
      digestOf([component, versions, vulnerabilities.map((n) => this.vulnerabilities[n])]),
    );
    const hash = createHash('sha256');
    for (const { host, packages } of this.hosts())
      hash.update(JSON.stringify([host.id, host.name, packages.map((n) => digests[n]).sort()]));
    return hash.digest('hex');
  }

  #byPackage: readonly (readonly number[])[] | null = null;
  #contentsByPackage(): readonly (readonly number[])[] {
    if (this.#byPackage !== null) return this.#byPackage;
    const index: number[][] = this.packages.map(() => []);
    for (const [content, packages] of this.#contents.entries())
      for (const number of packages) index[number]?.push(content);
    this.#byPackage = index;
    return index;
  }

  readonly #vulnerabilityNumbers = new Map<string, number>();
  #vulnerability(said: SaidVulnerability): number {
    // Properties are of the SBOM of one host.
    const { properties: _, ...rest } = said;
    const key = JSON.stringify(rest);
    const known = this.#vulnerabilityNumbers.get(key);
    if (known !== undefined) return known;
    const number = this.vulnerabilities.push(said) - 1;
    this.#vulnerabilityNumbers.set(key, number);
    return number;
  }
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
