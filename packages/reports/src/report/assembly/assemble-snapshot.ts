import type { PackageFamily, SectionFailure } from '@plimsoll/model';
import { TriState } from '@plimsoll/proto';
import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import { Places } from '../places.ts';
import type { SectionsRead } from '../read-sections.ts';
import type { ReportFrame } from '../report-frame.ts';
import { type ReportFacts, type SectionName, sectionRules } from '../section-registry.ts';
import { aptState } from './apt-state.ts';
import type { FamilyState } from './family-state.ts';
import { kernelFields } from './kernel-fields.ts';
import { observationFields } from './observation-fields.ts';
import { platformFields } from './platform-fields.ts';
import { rebootState } from './reboot-state.ts';
import { rpmState } from './rpm-state.ts';
import { failureIn } from './section-failure.ts';
import { serviceFields } from './service-fields.ts';

/** A report as the fields of a structured upload, with the line of each field. */
export interface AssembledReport {
  readonly fields: SnapshotFields;
  readonly places: Places;
}

const familyStates: Readonly<
  Record<PackageFamily, (facts: ReportFacts, failures: readonly SectionFailure[]) => FamilyState>
> = {
  apt: aptState,
  rpm: rpmState,
};

/** Combines the sections of a report. */
export function assembleSnapshot(frame: ReportFrame, { facts, failures }: SectionsRead): AssembledReport {
  const { family } = frame.header;
  const state = familyStates[family](facts, failures);
  const reboot = rebootState(family, facts);
  const { rebootRequired, rebootPackages, rebootAnswers } = reboot;
  const services = serviceFields(facts);
  // One source that checked every process is enough.
  const relevant = services.restartRequired === TriState.NO ? failures.filter(notOfServices) : failures;
  const allFailures = [...relevant, ...state.failures];
  if (reboot.failure !== null) allFailures.push(failureIn('reboot', reboot.failure));
  if (!frame.sections.has('needrestart') && !frame.sections.has('deleted-files')) {
    allFailures.push(failureIn('deleted-files', 'the report has neither this section nor needrestart'));
  }
  const fields: SnapshotFields = {
    ...observationFields(frame.header, facts.observed),
    platform: platformFields(family, facts),
    packages: state.packages,
    upgradable: state.upgrades,
    kernel: { ...kernelFields(state.kernels, facts), rebootRequired, rebootPackages, rebootAnswers },
    services,
    repositories: state.repositories,
    moduleStreams: (facts.modules ?? []).map((stream) => ({ ...stream, enabled: true })),
    ...(state.subscription === null ? {} : { subscription: state.subscription }),
    failures: allFailures,
    broken: state.broken,
    packageCount: state.packages.length,
    report: new Uint8Array(),
  };
  return { fields, places: placesOf(frame, facts, state) };
}

function notOfServices({ section }: SectionFailure): boolean {
  return section !== sectionRules['deleted-files'].fact;
}

const sectionsOfFields: readonly (readonly [string, SectionName])[] = [
  ['/platform', 'platform'],
  ['/kernel', 'kernel'],
  ['/services', 'deleted-files'],
  ['/module_streams', 'modules'],
  ['/observed', 'observed'],
];

function placesOf(frame: ReportFrame, facts: SectionsRead['facts'], state: FamilyState): Places {
  const places = new Places();
  for (const [pointer, name] of [...sectionsOfFields, ...state.sectionsOfFields]) {
    const section = frame.sections.get(name);
    if (section !== undefined) places.field(pointer, section.line);
  }
  places.field('/collected_at', facts.observed?.collectedAtLine ?? 1);
  const osRelease = frame.sections.get('os-release')?.line ?? 1;
  for (const [field, variable] of [
    ['os_id', 'ID'],
    ['os_version_id', 'VERSION_ID'],
    ['os_family', 'ID'],
    ['support_end', 'SUPPORT_END'],
  ] as const) {
    places.field(`/platform/${field}`, facts['os-release']?.lines.get(variable) ?? osRelease);
  }
  places.list('/packages', state.packageLines);
  places.list('/upgradable', state.upgradeLines);
  return places;
}
