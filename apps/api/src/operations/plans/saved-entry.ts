import { updateGaps } from '@plimsoll/model';
import { hidesWork, type PlanEntry, rebootNotes } from './plan-host.ts';

/** The rules by which entries are made; plans that earlier versions saved have none or a lower number. */
const edition = 2;

/** JSON of an entry, for a saved plan. */
export function writeEntry({ forensicsFirst: _now, ...entry }: PlanEntry): string {
  return JSON.stringify({ ...entry, edition });
}

/**
 * An entry of a saved plan, without what is judged anew. Earlier versions said that a host has nothing to do although it needed a reboot, or may have
 * needed one, and that no reboot follows although more updates than known may have been offered: this is read from
 * what they saved beside it.
 */
export function readEntry(json: string): PlanEntry {
  const read = JSON.parse(json) as Omit<PlanEntry, 'forensicsFirst'> & { readonly edition?: number }; // Of writeEntry.
  const { edition: by = 1, ...saved } = read;
  const entry = { ...saved, forensicsFirst: [] };
  return by >= edition ? entry : { ...entry, host: asKnown(entry.host) };
}

function asKnown(host: PlanEntry['host']): PlanEntry['host'] {
  const hidden: readonly string[] = [...updateGaps, 'reboot_unknown'];
  const isForecast = host.reboot.state !== 'not_needed' || !host.gaps.some((gap) => hidden.includes(gap));
  const reboot = isForecast ? host.reboot : { ...host.reboot, state: 'unknown' as const };
  if (host.state !== 'nothing_to_do') return { ...host, reboot };
  const known = new Set(host.notes.map(({ code }) => code));
  const notes = [...host.notes, ...rebootNotes(reboot.state).filter(({ code }) => !known.has(code))];
  const isKnown = !notes.some(({ code }) => hidesWork.has(code));
  return { ...host, reboot, notes, state: isKnown ? 'nothing_to_do' : 'not_plannable' };
}
