import type { Release } from '@plimsoll/model';
import { reportOfHostList } from '../inventory/host-list.ts';
import { inventoryOfReport, releaseOf } from '../inventory/inventory.ts';
import type { LabelledImage, LabelManifest } from './label-manifest.ts';

const unnamed = {
  architecture: '',
  epoch: '',
  sourceName: '',
  sourceVersion: '',
  vendor: '',
  module: '',
  candidate: null,
};

/**
 * The release that the service assigns to a host with the image's system; null if the distribution is not
 * supported.
 */
export function releaseOfImage({ os, version }: Pick<LabelledImage, 'os' | 'version'>): Release | null {
  if (os === undefined || version === undefined) return null;
  const report = reportOfHostList({
    os: { id: os, version },
    runningRelease: '',
    runningVersion: '',
    // A report needs a package; the choice does not affect the release.
    packages: [{ ...unnamed, name: 'any', version: '1', release: '1' }],
  });
  return releaseOf(inventoryOfReport(`${os} ${version}`, report, new Date(0)));
}

/** The releases of all images and ecosystems that have advisories. */
export function wantedOfLabels({ images, ecosystems, feeds }: LabelManifest): readonly Release[] {
  const releases = [...Object.values(images), ...Object.values(ecosystems)].flatMap(
    (image) => releaseOfImage(image) ?? [],
  );
  return releases.filter((release) => feeds[release] !== undefined);
}
