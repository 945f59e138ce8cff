import {
  compareText,
  type ModuleStream,
  type Observation,
  type Repository,
  type RepositoryRefresh,
  type SectionFailure,
  type Subscription,
} from '@plimsoll/model';
import { textLimits } from '../limits.ts';
import { byKeys, type FieldReader, sortDistinct } from './field-reader.ts';
import type { SnapshotFields } from './snapshot-fields.ts';

/** Reads the repositories, sorted by id and URL; skips those without both. */
export function decodeRepositories(
  wire: SnapshotFields['repositories'],
  reader: FieldReader,
): readonly Repository[] {
  const repositories: Repository[] = [];
  wire.forEach((entry, index) => {
    reader.at('/repositories', index);
    const repository = {
      id: reader.text('id', entry.id),
      url: reader.text('url', entry.url),
      enabled: entry.enabled,
      suite: reader.text('suite', entry.suite),
      origin: reader.text('origin', entry.origin),
    };
    if (repository.id === '' && repository.url === '') reader.warn('', 'names no repository; left out');
    else repositories.push(repository);
  });
  return sortDistinct(repositories, compareRepositories);
}

const compareRepositories = byKeys<Repository>(
  (repository) => repository.id,
  (repository) => repository.url,
  (repository) => repository.suite,
  (repository) => repository.origin,
  (repository) => String(repository.enabled),
);

/** Reads the module streams, sorted by name and stream; skips those without a name. */
export function decodeModuleStreams(
  wire: SnapshotFields['moduleStreams'],
  reader: FieldReader,
): readonly ModuleStream[] {
  const streams: ModuleStream[] = [];
  wire.forEach((entry, index) => {
    reader.at('/module_streams', index);
    const name = reader.text('name', entry.name);
    if (name === '') reader.warn('', 'names no module; left out');
    else streams.push({ name, stream: reader.text('stream', entry.stream), enabled: entry.enabled });
  });
  return sortDistinct(streams, compareStreams);
}

const compareStreams = byKeys<ModuleStream>(
  (stream) => stream.name,
  (stream) => stream.stream,
  (stream) => String(stream.enabled),
);

/** Reads the subscription; null if absent. */
export function decodeSubscription(
  wire: SnapshotFields['subscription'],
  reader: FieldReader,
): Subscription | null {
  if (wire === undefined) return null;
  reader.at('/subscription');
  return {
    kind: reader.text('kind', wire.kind),
    attached: wire.attached,
    services: reader.textSet('services', wire.services),
  };
}

/**
 * Reads the failed sections, sorted by name. Keeps one without a name: the fact that something is unknown must not be
 * lost.
 */
export function decodeFailures(
  wire: SnapshotFields['failures'],
  reader: FieldReader,
): readonly SectionFailure[] {
  const failures = wire.map((entry, index): SectionFailure => {
    reader.at('/failures', index);
    const section = reader.text('section', entry.section);
    return { section, detail: reader.text('detail', entry.detail) };
  });
  return sortedFailures(failures);
}

/** Failures in the order of a snapshot. */
export function sortedFailures(failures: readonly SectionFailure[]): readonly SectionFailure[] {
  return sortDistinct(failures, compareFailures);
}

const compareFailures = byKeys<SectionFailure>(
  (failure) => failure.section,
  (failure) => failure.detail,
);

/** Reads an observation; the refreshes are sorted by repository and time, without empty ones. */
export function readObservation(wire: SnapshotFields['observed'], reader: FieldReader): Observation {
  const refreshed: RepositoryRefresh[] = [];
  wire?.refreshed.forEach((entry, index) => {
    reader.at('/observed/refreshed', index);
    const refresh = {
      repositoryId: reader.text('repository_id', entry.repositoryId),
      at: reader.time('at', entry.at),
      publishedAt: reader.time('published_at', entry.publishedAt),
      validUntil: reader.time('valid_until', entry.validUntil),
      error: reader.text('error', entry.error, textLimits.fetchError),
    };
    const isEmpty = refresh.at === null && refresh.publishedAt === null && refresh.error === '';
    if (refresh.repositoryId === '' || isEmpty) reader.warn('', 'has no repository or no time; left out');
    else refreshed.push(refresh);
  });
  reader.at('/observed');
  return {
    bootId: reader.text('boot_id', wire?.bootId ?? ''),
    bootedAt: reader.time('booted_at', wire?.bootedAt),
    refreshed: sortDistinct(refreshed, compareRefreshes),
  };
}

function compareRefreshes(a: RepositoryRefresh, b: RepositoryRefresh): number {
  return (
    compareText(a.repositoryId, b.repositoryId) ||
    compareTimes(a.at, b.at) ||
    compareTimes(a.publishedAt, b.publishedAt) ||
    compareTimes(a.validUntil, b.validUntil) ||
    compareText(a.error, b.error)
  );
}

/** Orders times, unknown ones first. */
function compareTimes(a: Date | null, b: Date | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return a.getTime() - b.getTime();
}
