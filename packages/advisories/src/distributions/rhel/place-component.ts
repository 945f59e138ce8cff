import type { CvssScore, Rating } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';
import { type RpmPackageUrl, readRpmPackageUrl } from '../../csaf/package-url.ts';
import type { CsafProduct } from '../../csaf/product-tree.ts';
import type { Remediation, VexStatus } from '../../csaf/vulnerability.ts';
import type { OsvPlace } from '../../osv/dialect.ts';
import type { IssueReason } from '../../record-issues.ts';
import { streamOf } from '../../rpm/module-stream.ts';
import { isRpmPackageName } from '../../rpm/package-name.ts';
import { readComponentName } from './component-name.ts';
import { placeOfProduct } from './product.ts';

const cpeOfRedHat = /^cpe:\/[oa]:redhat:([A-Za-z0-9._:~-]{1,200})$/;
const moduleType = 'pkg:rpmmod/';
const epoch = /^\d{1,9}$/;

/** An rpm of a Red Hat Enterprise Linux stream. */
export interface PlacedComponent {
  readonly place: OsvPlace;
  readonly name: string;
  /** Whether `name` is a source rpm, so that statements cover all its binary packages. */
  readonly isSource: boolean;
  /** `perl:5.32`; empty: outside modules. */
  readonly module: string;
  /** `epoch:version-release`; null if the document names none, or none that can be read. */
  readonly evr: string | null;
}

/** A document's statement about one component. */
export interface ComponentStatement extends PlacedComponent {
  readonly status: VexStatus;
  readonly remedies: readonly Remediation[];
  readonly cvss: CvssScore | null;
  readonly rating: Rating;
}

/** A placed component, or why a component of the distribution cannot be read. */
export type Placing =
  | { readonly kind: 'placed'; readonly component: PlacedComponent }
  | { readonly kind: 'unreadable'; readonly reason: IssueReason };

/**
 * The rpm of a product in Red Hat's VEX. Null for products outside Red Hat Enterprise Linux, whole products,
 * container images and other components that are not rpms. @param withVersion whether the document states a
 * build of it.
 */
export function placeComponent({ cpe, components }: CsafProduct, withVersion: boolean): Placing | null {
  const product = cpeOfRedHat.exec(cpe)?.[1];
  const place = product === undefined ? null : placeOfProduct(product);
  const last = components.at(-1);
  if (place === null || last === undefined) return null;
  if (last.purl === '') return withVersion ? unreadable('unparseable_version') : placeByName(place, last.id);
  const purl = readRpmPackageUrl(last.purl);
  if (purl === null) return last.purl.startsWith('pkg:rpm/') ? unreadable('invalid_package_name') : null;
  if (!isRpmPackageName(purl.name)) return unreadable('invalid_package_name');
  const module = moduleIn(purl, components);
  if (module === null) return unreadable('stream_unknown');
  // Without a build, the version of a module's package is the name of its stream.
  const evr = withVersion ? evrOf(purl) : null;
  return {
    kind: 'placed',
    component: {
      place,
      name: purl.name,
      isSource: purl.qualifiers.get('arch') === 'src',
      module,
      evr,
    },
  };
}

/** A component without a purl: its id is the name of a source rpm. */
function placeByName(place: OsvPlace, id: string): Placing | null {
  const component = readComponentName(id);
  if (component === 'image') return null;
  if (component === 'invalid') return unreadable('invalid_package_name');
  return { kind: 'placed', component: { place, ...component, isSource: true, evr: null } };
}

function unreadable(reason: IssueReason): Placing {
  return { kind: 'unreadable', reason };
}

/**
 * The module in the package's `rpmmod`, `nodejs:18` or `nodejs:18:8090020231114113548:a75119d5`, or in the
 * purl of a component around it, `pkg:rpmmod/redhat/nodejs@18:8090020231114113548:a75119d5`. Null if it is
 * malformed.
 */
function moduleIn({ qualifiers }: RpmPackageUrl, components: CsafProduct['components']): string | null {
  const around = components.find(({ purl }) => purl.startsWith(moduleType))?.purl;
  const stated = qualifiers.get('rpmmod') ?? '';
  if (stated !== '') {
    const [name = '', stream = ''] = stated.split(':', 2);
    return streamOf(name, stream);
  }
  if (around === undefined) return '';
  const [name = '', rest = ''] = around.slice(around.lastIndexOf('/') + 1).split('@', 2);
  return streamOf(name, rest.split(/[:?]|%3A/, 1)[0] ?? '');
}

function evrOf({ version, qualifiers }: RpmPackageUrl): string | null {
  if (version === null || !version.includes('-')) return null;
  const stated = qualifiers.get('epoch') ?? '';
  if (stated !== '' && !epoch.test(stated)) return null;
  const evr = stated === '' ? version : `${stated}:${version}`;
  return versionKey('rpm', evr).kind === 'key' ? evr : null;
}
