import type { ReportSection } from '../report-section.ts';
import { tabbedLines } from '../tabbed-lines.ts';

/** Facts of a host besides its distribution; empty if not reported. */
export interface PlatformFacts {
  architecture: string;
  hostname: string;
  machineId: string;
  virtualization: string;
  debianVersion: string;
  readonly ipAddresses: string[];
}

/** Parses `platform`. */
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
      default: // A newer collector may report more.
    }
  }
  return facts;
}
