import { isPackageFamily, type OsFamily, type Platform } from '@plimsoll/model';
import { textLimits } from '../limits.ts';
import type { FieldReader } from './field-reader.ts';
import { neitherFamily } from './named-families.ts';
import { osFamilyOf } from './os-family.ts';
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
  };
}

function decodeOsId(value: string, reader: FieldReader): string {
  const osId = reader.name('os_id', value.trim().toLowerCase(), 'required');
  if (osId.length <= textLimits.name && !osIdForm.test(osId)) {
    reader.error('os_id', 'is not an ID of os-release(5): a to z, 0 to 9, ".", "_" and "-"');
  }
  return osId;
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
