import { TextField } from '../../design/form/fields.tsx';

const dayMs = 24 * 3600 * 1000;
const longestDays = 365;
const usualDays = 90;

interface EndFieldProps {
  /** ISO 8601; default: in 90 days. */
  readonly value?: string;
}

/** The last day of a waiver; form field `expires_at`, `YYYY-MM-DD`. */
export function EndField({ value }: EndFieldProps) {
  const now = Date.now();
  return (
    <TextField
      name="expires_at"
      label="Until the end of"
      type="date"
      isRequired
      defaultValue={dayOf(value === undefined ? now + usualDays * dayMs : Date.parse(value))}
      hint={`From ${dayOf(now)} to ${dayOf(now + longestDays * dayMs)}. A week before, notifications can tell of it.`}
    />
  );
}

/** A day in the browser's zone. */
function dayOf(time: number): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The end of a day (`YYYY-MM-DD`) in the browser's zone; another text is returned as it is, for the server to refuse. */
export function endOfDay(day: string): string {
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}
