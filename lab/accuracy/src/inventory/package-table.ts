import type { HostList, ListedPackage } from './host-list.ts';
import { InventoryError } from './inventory.ts';
import { linesOf } from './report-draft.ts';
import { osOfVulsFamily } from './vuls-family.ts';

/** The host data in a table's first line or in its manifest. */
export interface TableHost {
  readonly os: { readonly id: string; readonly version: string };
  readonly runningRelease: string;
}

type Field =
  | 'name'
  | 'epoch'
  | 'version'
  | 'release'
  | 'architecture'
  | 'source'
  | 'sourceVersion'
  | 'sourceRpm'
  | 'vendor'
  | 'module'
  | 'candidate'
  | 'repository';

/** Accepted column names, by field. */
const columnNames: Readonly<Record<Field, readonly string[]>> = {
  name: ['name'],
  epoch: ['epoch'],
  version: ['version'],
  release: ['release'],
  architecture: ['arch', 'architecture'],
  source: ['source'],
  sourceVersion: ['source_version'],
  sourceRpm: ['sourcerpm'],
  vendor: ['vendor'],
  module: ['modularity', 'modularitylabel'],
  candidate: ['available_version'],
  repository: ['available_repo'],
};

type Row = (field: Field) => string;

/**
 * Reads a table of packages: a line of column names, then one line per package, tab-separated, in any column order. An
 * optional first line is `#host<TAB>NAME<TAB>family=…<TAB>release=…<TAB>runningKernel=…`; `stated` takes precedence
 * over it.
 */
export function readPackageTable(text: string, stated: TableHost | null): HostList {
  const lines = linesOf(text);
  const first = lines[0] ?? '';
  const header = first.startsWith('#') ? first : null;
  const [names = '', ...rows] = header === null ? lines : lines.slice(1);
  const host = stated ?? (header === null ? null : hostOf(header));
  if (host === null) {
    throw new InventoryError('says nowhere which system it is of: neither in a first line nor in a manifest');
  }
  const columns = names.split('\t');
  if (!columns.includes('name') || !columns.includes('version')) {
    throw new InventoryError('has no columns "name" and "version"');
  }
  const packages = rows.map((line) => {
    const values = line.split('\t');
    const value: Row = (field) => {
      const index = columns.findIndex((column) => columnNames[field].includes(column));
      const found = values[index] ?? '';
      return found === '(none)' ? '' : found;
    };
    return listedPackage(value);
  });
  return { ...host, runningVersion: '', packages };
}

function listedPackage(value: Row): ListedPackage {
  const [, name = '', version = ''] = /^(.+)-([^-]+-[^-]+)\.(?:no)?src\.rpm$/.exec(value('sourceRpm')) ?? [];
  const candidate = value('candidate');
  return {
    name: value('name'),
    architecture: value('architecture'),
    epoch: value('epoch'),
    version: value('version'),
    release: value('release'),
    sourceName: value('source') === '' ? name : value('source'),
    sourceVersion: value('source') === '' ? version : value('sourceVersion'),
    vendor: value('vendor'),
    module: value('module'),
    candidate: candidate === '' ? null : { version: candidate, repository: value('repository') },
  };
}

function hostOf(header: string): TableHost | null {
  const fields = new Map(
    header.split('\t').flatMap((field): [string, string][] => {
      const at = field.indexOf('=');
      return at < 0 ? [] : [[field.slice(0, at), field.slice(at + 1)]];
    }),
  );
  const family = fields.get('family');
  const release = fields.get('release');
  if (family === undefined || release === undefined) return null;
  return { os: osOfVulsFamily(family, release), runningRelease: fields.get('runningKernel') ?? '' };
}
