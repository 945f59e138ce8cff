import {
  type InstalledKernel,
  isPackageFamily,
  type KernelFacts,
  type OsFamily,
  type Platform,
  type RebootAnswer,
  rebootSources,
  type ServiceFacts,
  type ServiceToRestart,
  type TriState,
} from '@plimsoll/model';
import { TriState as WireTriState } from '@plimsoll/proto';
import { textLimits } from '../limits.ts';
import { byKeys, type FieldReader, sortDistinct } from './field-reader.ts';
import { neitherFamily, osFamilyOf } from './os-family.ts';
import type { SnapshotFields } from './snapshot-fields.ts';

/** os-release(5): "a lower-case string (no spaces or other characters outside of 0–9, a–z, ".", "_" and "-")". */
const osIdForm = /^[a-z0-9._-]*$/;

/**
 * Reads the platform. Errors: no os id, or a family that is neither given nor known from the os id. Addresses keep
 * their order, because the first is the host's choice.
 */
export function decodePlatform(wire: SnapshotFields['platform'], reader: FieldReader): Platform {
  reader.at('/platform');
  const osId = decodeOsId(wire?.osId ?? '', reader);
  const osVersionId = reader.version('os_version_id', wire?.osVersionId.trim() ?? '', 'optional');
  const osVersion = reader.text('os_version', wire?.osVersion ?? '');
  const supportEnd = decodeSupportEnd(wire?.supportEnd ?? '', reader);
  const imageVersion = reader.text('image_version', wire?.imageVersion ?? '');
  const addresses = (wire?.ipAddresses ?? []).map((address) => reader.text('ip_addresses', address));
  return {
    osFamily: decodeOsFamily(wire?.osFamily ?? '', osId, reader),
    osId,
    osVersionId,
    osVersion: osVersion === '' ? osVersionId : osVersion,
    osCodename: reader.text('os_codename', wire?.osCodename ?? ''),
    osPrettyName: reader.text('os_pretty_name', wire?.osPrettyName ?? ''),
    architecture: reader.text('architecture', wire?.architecture ?? ''),
    hostname: reader.text('hostname', wire?.hostname ?? '', textLimits.hostname),
    machineId: reader.text('machine_id', wire?.machineId ?? ''),
    virtualization: reader.text('virtualization', wire?.virtualization ?? ''),
    ipAddresses: [...new Set(addresses.filter((address) => address !== ''))],
    ...(supportEnd === null ? {} : { supportEnd }),
    ...(imageVersion === '' ? {} : { imageVersion }),
  };
}

function decodeOsId(value: string, reader: FieldReader): string {
  const osId = reader.name('os_id', value.trim().toLowerCase(), 'required');
  if (osId.length <= textLimits.name && !osIdForm.test(osId)) {
    reader.error('os_id', 'is not an ID of os-release(5): a to z, 0 to 9, ".", "_" and "-"');
  }
  return osId;
}

/** A day of os-release(5), `2026-05-13`; null, with a warning, for other text and for days that do not exist. */
function decodeSupportEnd(value: string, reader: FieldReader): string | null {
  const text = value.trim();
  if (text === '') return null;
  const time = /^[12]\d{3}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse carries overflow: the 31st of February would become a day in March.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  reader.warn('support_end', 'is no day such as 2026-05-13; left out');
  return null;
}

function decodeOsFamily(value: string, osId: string, reader: FieldReader): OsFamily {
  const given = value.trim().toLowerCase();
  if (isPackageFamily(given)) return given;
  const family = osFamilyOf(osId);
  if (family === 'unknown' && osId !== '') {
    reader.error('os_family', `is ${neitherFamily}, and os_id does not show which`);
  } else if (given !== '' && family !== 'unknown') {
    reader.warn('os_family', `is ${neitherFamily}; taken from os_id as "${family}"`);
  }
  return family;
}

/** Reads the kernel facts, sorted by package, version and release. Absent fields are unknown. */
export function decodeKernel(wire: SnapshotFields['kernel'], reader: FieldReader): KernelFacts {
  const answers = (wire?.rebootAnswers ?? []).flatMap(({ source, due, detail }, index): RebootAnswer[] => {
    reader.at('/kernel/reboot_answers', index);
    const known = rebootSources.find((word) => word === source);
    return known === undefined
      ? []
      : [{ source: known, due: triState(due), detail: reader.text('detail', detail) }];
  });
  const installed = (wire?.installed ?? []).map((entry, index): InstalledKernel => {
    reader.at('/kernel/installed', index);
    return {
      package: reader.text('package', entry.package),
      version: reader.text('version', entry.version),
      release: reader.text('release', entry.release),
      defaultBoot: triState(entry.defaultBoot),
    };
  });
  reader.at('/kernel');
  const pinnedRelease = reader.text('pinned_release', wire?.pinnedRelease ?? '');
  return {
    runningRelease: reader.text('running_release', wire?.runningRelease ?? ''),
    runningVersion: reader.text('running_version', wire?.runningVersion ?? ''),
    runningPackage: reader.text('running_package', wire?.runningPackage ?? ''),
    installed: sortDistinct(installed.filter(namesSomething), compareKernels),
    rebootRequired: triState(wire?.rebootRequired),
    rebootPackages: reader.textSet('reboot_packages', wire?.rebootPackages ?? []),
    ...(answers.length === 0 ? {} : { rebootAnswers: sortDistinct(answers, compareAnswers) }),
    ...(pinnedRelease === '' ? {} : { pinnedRelease }),
    livepatch: reader.text('livepatch', wire?.livepatch ?? ''),
    livepatchedCves: reader.textSet('livepatched_cves', wire?.livepatchedCves ?? []),
  };
}

const compareAnswers = byKeys<RebootAnswer>(
  (answer) => answer.source,
  (answer) => answer.due,
  (answer) => answer.detail,
);

const compareKernels = byKeys<InstalledKernel>(
  (kernel) => kernel.package,
  (kernel) => kernel.version,
  (kernel) => kernel.release,
  (kernel) => kernel.defaultBoot,
);

function namesSomething(kernel: InstalledKernel): boolean {
  return kernel.package !== '' || kernel.version !== '' || kernel.release !== '';
}

/** Reads the service facts, sorted by name; skips those without a name. */
export function decodeServices(wire: SnapshotFields['services'], reader: FieldReader): ServiceFacts {
  const services: ServiceToRestart[] = [];
  wire?.toRestart.forEach((entry, index) => {
    reader.at('/services/to_restart', index);
    const name = reader.text('name', entry.name);
    if (name === '') reader.warn('', 'names no service; left out');
    else services.push({ name, reason: reader.text('reason', entry.reason) });
  });
  return {
    restartRequired: triState(wire?.restartRequired),
    toRestart: sortDistinct(services, compareServices),
    ...(wire?.unitsKnown === true ? { failedUnits: reader.textSet('failed_units', wire.failedUnits) } : {}),
  };
}

const compareServices = byKeys<ServiceToRestart>(
  (service) => service.name,
  (service) => service.reason,
);

/** Any value except a clear yes or no, including a newer sender's, is unknown. */
function triState(wire: WireTriState | undefined): TriState {
  if (wire === WireTriState.YES) return 'yes';
  return wire === WireTriState.NO ? 'no' : 'unknown';
}
