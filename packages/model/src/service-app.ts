/**
 * The apps of the service. Each runs as its own process, from apps/NAME, with its own database role. The API is first:
 * `start` waits for it. Every other list of apps derives from this one or is compared with it by
 * tests/service-apps.unit.test.ts.
 */
export const serviceApps = [
  'api',
  'report-worker',
  'advisory-worker',
  'ssh-worker',
  'notify-worker',
  'scheduler',
] as const;

/** An app of the service. */
export type ServiceApp = (typeof serviceApps)[number];

/**
 * Settings of glibc's malloc for each app, which keep less freed memory (mallopt(3)): two arenas, and fixed thresholds. Without them
 * glibc raises both once a large buffer was freed, to at most 32 and 64 MiB. Other values in the environment win.
 */
export const mallocSettings = {
  MALLOC_ARENA_MAX: '2',
  /** Bytes: larger buffers have memory of their own, which is returned when they are freed. */
  MALLOC_MMAP_THRESHOLD_: '2097152',
  /** Bytes: more free memory at the end of the heap is returned. */
  MALLOC_TRIM_THRESHOLD_: '4194304',
} as const;
