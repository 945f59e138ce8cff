/** Seconds of the 24 hours in which an allowance of a day becomes whole again. */
export const daySeconds = 24 * 60 * 60;

/** In SQL: a time that is some seconds after now, or after `time` where that is later. Both arguments are expressions. */
export function later(time: string, seconds: string): string {
  return `greatest(${time}, now()) + make_interval(secs => ${seconds}::float8)`;
}
