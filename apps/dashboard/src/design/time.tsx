import { useSyncExternalStore } from 'react';

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const tickMs = 30_000;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    now = Date.now();
    listener();
  }, tickMs);
  return () => clearInterval(timer);
}

/** How long ago, or in how long, a moment is: `3 hours ago`. Under a minute: `just now`. */
export function relativeTime(moment: number, from: number): string {
  const seconds = Math.round((moment - from) / 1000);
  const unit = units.find(([, length]) => Math.abs(seconds) >= length);
  if (unit === undefined) return seconds > 30 ? 'in a moment' : 'just now';
  return relative.format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** A moment as it is seen from now, with the exact one in its tooltip. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const from = useSyncExternalStore(subscribe, () => now);
  if (at === null || at === undefined) return <>never</>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={absolute.format(moment)}>
      {relativeTime(moment.getTime(), Math.max(from, now))}
    </time>
  );
}

/** A moment with date and time, in the reader's own zone and manner. */
export function ExactTime({ at }: { readonly at: string }) {
  return <time dateTime={at}>{absolute.format(new Date(at))}</time>;
}
