import { z } from 'zod';
import type { HostList, ListedPackage } from './host-list.ts';
import { osOfVulsFamily } from './vuls-family.ts';

const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const vulsPackage = z.object({
  name: z.string(),
  version: z.string(),
  release: optionalText,
  arch: optionalText,
  newVersion: optionalText,
  newRelease: optionalText,
  repository: optionalText,
  modularitylabel: optionalText,
});

const vulsSource = z.object({
  name: z.string(),
  version: z.string(),
  binaryNames: z.array(z.string()).nullish(),
});

/** The installed packages of a scan result of vuls. */
const vulsResult = z.object({
  family: z.string(),
  release: z.string(),
  runningKernel: z.object({ release: optionalText, version: optionalText }),
  packages: z.record(z.string(), vulsPackage),
  SrcPackages: z.record(z.string(), vulsSource).nullish(),
});

/** Reads a scan result of vuls (`results/…/HOST.json`); null for other JSON. */
export function readVulsResult(json: unknown): HostList | null {
  const parsed = vulsResult.safeParse(json);
  if (!parsed.success) return null;
  const { family, release, runningKernel, packages, SrcPackages } = parsed.data;
  const sources = new Map(
    Object.values(SrcPackages ?? {}).flatMap((source) =>
      (source.binaryNames ?? []).map((binary) => [binary, source] as const),
    ),
  );
  return {
    os: osOfVulsFamily(family, release),
    runningRelease: runningKernel.release,
    runningVersion: runningKernel.version,
    packages: Object.values(packages).map((entry) => listedPackage(entry, sources.get(entry.name))),
  };
}

function listedPackage(
  entry: z.output<typeof vulsPackage>,
  source: { readonly name: string; readonly version: string } | undefined,
): ListedPackage {
  // On rpm the epoch precedes the version; on apt the version is complete and there is no release.
  const [, epoch = '', version = ''] = /^(?:(\d+):)?(.*)$/s.exec(entry.version) ?? [];
  const isRpm = entry.release !== '';
  const newVersion = entry.newRelease === '' ? entry.newVersion : `${entry.newVersion}-${entry.newRelease}`;
  return {
    name: entry.name,
    architecture: entry.arch,
    epoch: isRpm ? epoch : '',
    version: isRpm ? version : entry.version,
    release: entry.release,
    sourceName: source?.name ?? '',
    sourceVersion: source?.version ?? '',
    vendor: '',
    module: entry.modularitylabel,
    candidate: newVersion === '' ? null : { version: newVersion, repository: entry.repository },
  };
}
