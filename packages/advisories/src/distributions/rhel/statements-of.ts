import { type AffectedPackage, compareSeverity, compareText, type Fix } from '@plimsoll/model';
import { fixesByLine } from './fixes-by-line.ts';
import type { ComponentStatement } from './place-component.ts';
import { upstreamStatements } from './rebuilds.ts';

type Unfixed = Extract<Fix, { kind: 'unfixed' }>;

const maxDetailCharacters = 100;

/**
 * The statements of a document about one vulnerability, sorted. Statements about source rpms cover their
 * binary packages; binary packages count only in a stream without a source in the document. A fix takes
 * precedence over no fix.
 */
export function statementsOf(components: readonly ComponentStatement[]): readonly AffectedPackage[] {
  const groups = new Map<string, ComponentStatement[]>();
  for (const component of withoutBuiltOnes(components)) {
    const { place, name, isSource, module } = component;
    const key = `${place.release} ${name} ${isSource} ${module}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [component]);
    else group.push(component);
  }
  return [...groups.keys()].sort(compareText).flatMap((key) => ofPackage(groups.get(key) ?? []));
}

/** Removes binary packages of streams whose source rpms the document names. */
function withoutBuiltOnes(components: readonly ComponentStatement[]): readonly ComponentStatement[] {
  const keyOf = ({ place, status }: ComponentStatement) => `${status} ${place.release} ${place.line ?? ''}`;
  const withSource = new Set(components.filter(({ isSource }) => isSource).map(keyOf));
  return components.filter((component) => component.isSource || !withSource.has(keyOf(component)));
}

/** The statements about one package: one for each line of builds, and the ones for rebuilt releases. */
function ofPackage(components: readonly ComponentStatement[]): readonly AffectedPackage[] {
  const [first] = components;
  if (first === undefined) return [];
  const fixes = fixesByLine(components.filter(({ status }) => status === 'fixed'));
  const unfixed = unfixedByLine(components.filter(({ status }) => status !== 'fixed'));
  const lines = [...new Set([...fixes.keys(), ...unfixed.keys()])].sort(compareText);
  return lines.flatMap((line) => {
    const fix = fixes.get(line) ?? unfixed.get(line);
    if (fix === undefined) return [];
    const own: AffectedPackage = {
      release: first.place.release,
      name: first.name,
      ...(first.isSource ? { names: 'source' as const } : {}),
      ...fix.component.rating,
      fix: fix.fix,
      builds: { architectures: [], module: first.module, line: line === '' ? null : line },
    };
    return own.names === 'source' ? [own, ...upstreamStatements(own)] : [own];
  });
}

interface StatedFix {
  readonly fix: Fix;
  readonly component: ComponentStatement;
}

/**
 * By line, empty for the main one; of several statements the worst: affected takes precedence over under
 * investigation.
 */
function unfixedByLine(components: readonly ComponentStatement[]): ReadonlyMap<string, StatedFix> {
  const byLine = new Map<string, StatedFix>();
  for (const component of components) {
    const line = component.place.line ?? '';
    const known = byLine.get(line);
    const fix = unfixedOf(component);
    if (known === undefined || isWorse({ fix, component }, known)) byLine.set(line, { fix, component });
  }
  return byLine;
}

function isWorse(one: StatedFix & { readonly fix: Unfixed }, other: StatedFix): boolean {
  const isOpen = (fix: Fix) => fix.kind === 'unfixed' && fix.reason !== 'under_investigation';
  if (isOpen(one.fix) !== isOpen(other.fix)) return isOpen(one.fix);
  return compareSeverity(one.component.rating.severity, other.component.rating.severity) < 0;
}

/**
 * The reason for a missing fix; the only mapping of Red Hat's statuses and remediations. `none_available`
 * covers "Affected" and "Fix deferred", `no_fix_planned` covers "Will not fix" and "Out of support scope".
 */
function unfixedOf({ status, remedies }: ComponentStatement): Unfixed {
  if (status === 'under_investigation')
    return { kind: 'unfixed', reason: 'under_investigation', detail: 'Under investigation' };
  const refused = remedies.find(({ category }) => category === 'no_fix_planned');
  const remedy = refused ?? remedies.find(({ category }) => category === 'none_available');
  const detail = (remedy?.details ?? '').trim().slice(0, maxDetailCharacters);
  // An unreadable fixed build does not prove a fix.
  return { kind: 'unfixed', reason: refused === undefined ? 'no_fix' : 'will_not_fix', detail };
}
