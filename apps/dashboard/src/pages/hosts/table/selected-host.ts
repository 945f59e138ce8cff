import type { Host } from '@plimsoll/contract';

/** What actions on selected hosts need of a host. */
export type SelectedHost = Pick<
  Host,
  'id' | 'display_name' | 'approval_status' | 'onboarding_mode' | 'machine_id_conflict_with' | 'tags'
>;

const statuses: readonly unknown[] = ['pending', 'approved', 'retired'] satisfies Host['approval_status'][];
const modes: readonly unknown[] = ['agent', 'ssh', 'manual'] satisfies Host['onboarding_mode'][];

/** These fields of a host, without its other ones. */
export function selectedHost({
  id,
  display_name,
  approval_status,
  onboarding_mode,
  machine_id_conflict_with,
  tags,
}: SelectedHost): SelectedHost {
  return { id, display_name, approval_status, onboarding_mode, machine_id_conflict_with, tags };
}

/** Whether a value of any kind is a selected host. */
export function isSelectedHost(value: unknown): value is SelectedHost {
  if (typeof value !== 'object' || value === null) return false;
  const { id, display_name, approval_status, onboarding_mode, machine_id_conflict_with, tags } =
    value as Partial<Record<keyof SelectedHost, unknown>>; // Fields of an object can be read; each is checked.
  return (
    typeof id === 'string' &&
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) &&
    typeof display_name === 'string' &&
    statuses.includes(approval_status) &&
    modes.includes(onboarding_mode) &&
    (machine_id_conflict_with === null || typeof machine_id_conflict_with === 'string') &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === 'string')
  );
}
