import type { Release } from '@plimsoll/model';
import { osFamilyOf } from '@plimsoll/reports';
import { evaluate } from '../evaluation.ts';
import type { FeedFileResult } from '../feeds/read-feed-file.ts';
import type { StatementBook } from '../feeds/statement-book.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { releaseOfImage } from './image-release.ts';
import { type JudgedLabel, judgeLabels, type OtherWord } from './judge-labels.ts';
import { labelHost } from './label-host.ts';
import type { LabelledImage, LabelManifest } from './label-manifest.ts';
import type { MatchLabel, ReadLabels } from './read-labels.ts';
import { buildsOfHosts } from './read-sources.ts';
import { type RecordedBuild, RecordedPackages } from './recorded-packages.ts';
import type { RedHatWords } from './red-hat-words.ts';

/** The labels of one image, with our answers. */
export interface LabelCheck {
  readonly image: string;
  /** Null if the distribution is not supported; see `outside`. */
  readonly release: Release | null;
  readonly labels: number;
  /** Undecided labels, and labels that are not about a package of the distribution. */
  readonly notDecided: number;
  readonly otherPackages: number;
  readonly judged: readonly JudgedLabel[];
  /** The reason why the image is not judged; null if it is. */
  readonly outside: string | null;
}

/** The inputs of a run. */
export interface LabelGround {
  readonly manifest: LabelManifest;
  readonly read: ReadLabels;
  readonly inventories: readonly Inventory[];
  readonly feeds: readonly FeedFileResult[];
  /** More packages with their sources. */
  readonly sources: readonly RecordedBuild[];
  /** Null if the manifest names no file of Red Hat's records. */
  readonly redHat: RedHatWords | null;
}

/** The images in the manifest's order, and a sentence for each missing input. */
export interface LabelRun {
  readonly checks: readonly LabelCheck[];
  readonly lacking: readonly string[];
}

/** Compares our answers with all labels. */
export function runLabels(ground: LabelGround): LabelRun {
  const lacking: string[] = [];
  const known = new Set<string>();
  const checks = Object.entries(ground.manifest.images).flatMap(([start, image]): LabelCheck[] => {
    const labels = [...ground.read.byDigest].flatMap(([digest, list]) => {
      if (!digest.startsWith(start)) return [];
      known.add(digest);
      return list;
    });
    if (labels.length === 0) {
      lacking.push(`the labels lack the image ${image.name}`);
      return [];
    }
    return [checkImage(ground, image, labels, lacking)];
  });
  for (const digest of ground.read.byDigest.keys())
    if (!known.has(digest)) lacking.push(`the manifest of labels does not name the image ${digest}`);
  return { checks, lacking };
}

function checkImage(
  { manifest, inventories, feeds, sources, redHat }: LabelGround,
  image: LabelledImage,
  labels: readonly MatchLabel[],
  lacking: string[],
): LabelCheck {
  const release = releaseOfImage(image);
  const base = { image: image.name, release, labels: labels.length };
  const nothing = { notDecided: 0, otherPackages: 0, judged: [] };
  const files = release === null ? undefined : manifest.feeds[release];
  if (image.os === undefined || image.version === undefined || release === null || files === undefined) {
    return { ...base, ...nothing, outside: image.outside ?? 'the data has no advisories for the release' };
  }
  const books = booksOf(feeds, files);
  if (books.length < files.length) {
    lacking.push(`the labels of ${image.name} lack a feed: not all of ${files.join(', ')} were read`);
    return { ...base, ...nothing, outside: 'a file of advisories is absent' };
  }
  const recorded = new RecordedPackages([...buildsOfHosts(inventories, osFamilyOf(image.os)), ...sources]);
  const host = labelHost({ os: image.os, version: image.version, release }, labels, recorded, books);
  const evaluation = evaluate(host.inventory, { books, asOf: null, exploited: new Set() });
  const ids = books.map((book) => book.idsOf(release));
  const judged = judgeLabels(host, evaluation, {
    namesId: (id) => ids.some((set) => set.has(id)),
    otherWord: otherWordOf(redHat, release),
  });
  return {
    ...base,
    notDecided: host.labels.filter(({ says }) => says === 'undecided').length,
    otherPackages: host.outside,
    judged,
    outside: null,
  };
}

function booksOf(feeds: readonly FeedFileResult[], files: readonly string[]): readonly StatementBook[] {
  return files.flatMap((file) => {
    const read = feeds.find((feed) => feed.file === file)?.read;
    return read?.kind === 'read' ? [read.book] : [];
  });
}

const withRedHat = /^(?:rhel|almalinux|rocky):(\d{1,2})$/;

/** Red Hat's statement about a package for which its data, or a rebuild's, has no answer. */
function otherWordOf(redHat: RedHatWords | null, release: Release): OtherWord {
  const major = withRedHat.exec(release)?.[1];
  return ({ ids, package: named }, names) => {
    if (redHat === null || major === undefined || named === null) return null;
    for (const id of ids) {
      const word = redHat.about(id, major, names, named.version);
      if (word?.kind === 'state') {
        return { supported: false, cause: `vendor: "${word.state}" for its component` };
      }
      if (word?.kind === 'fixed') {
        return word.isReached
          ? { supported: false, cause: 'vendor: fixed in the installed version' }
          : {
              supported: true,
              cause: `data: a fix by ${word.advisory.slice(0, 4)} that the file of errata omits`,
            };
      }
    }
    return null;
  };
}
