import type { ModuleStream, Repository, SectionFailure, Subscription } from '@plimsoll/model';
import type { FieldReader } from './field-reader.ts';
import { byKeys, sortDistinct } from './order.ts';
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
    return { section: reader.text('section', entry.section), detail: reader.text('detail', entry.detail) };
  });
  return sortDistinct(failures, compareFailures);
}

const compareFailures = byKeys<SectionFailure>(
  (failure) => failure.section,
  (failure) => failure.detail,
);
