/** Seconds after which an allowance per day is full again. */
export const daySeconds = 24 * 60 * 60;

/** SQL: `seconds` after now, or after `time` if that is later. Both arguments are SQL expressions. */
export function later(time: string, seconds: string): string {
  return `greatest(${time}, now()) + make_interval(secs => ${seconds}::float8)`;
}
