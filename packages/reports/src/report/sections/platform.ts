import type { ReportSection } from '../report-section.ts';
import { tabbedLines } from '../tabbed-lines.ts';

/** What a host is besides its distribution; empty where it does not say. */
export interface PlatformFacts {
  architecture: string;
  hostname: string;
  machineId: string;
  virtualization: string;
  debianVersion: string;
  readonly ipAddresses: string[];
}

/** Reads `platform`. */
export function parsePlatform(section: ReportSection): PlatformFacts {
  const facts: PlatformFacts = {
    architecture: '',
    hostname: '',
    machineId: '',
    virtualization: '',
    debianVersion: '',
    ipAddresses: [],
  };
  for (const { key, value } of tabbedLines(section)) {
    switch (key) {
      case 'architecture':
        facts.architecture = value;
        break;
      case 'hostname':
        facts.hostname = value;
        break;
      case 'machine_id':
        facts.machineId = value;
        break;
      case 'virtualization':
        facts.virtualization = value;
        break;
      case 'debian_version':
        facts.debianVersion = value;
        break;
      case 'ip_address':
        facts.ipAddresses.push(value);
        break;
      default: // A newer collector may say more.
    }
  }
  return facts;
}
