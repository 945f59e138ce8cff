/**
 * When hosts are pulled next, as SQL expressions on a row `t` of ssh_targets. Every one of them has jitter, evaluated
 * per row, so that hosts that came, failed or came back together do not stay together.
 */
const interval = 'make_interval(mins => t.frequency_minutes)';

/** A host that was never pulled is tried so often in its first day. */
const firstDayInterval = "interval '5 minutes'";

/** After being claimed: one interval later, a little less at random. */
export const nextRegularPull = `now() + ${interval} * (0.95 + 0.05 * random())`;

/** After the first success: anywhere in the interval, so that hosts added together spread over all of it. */
const nextAfterFirst = `now() + ${interval} * (0.1 + 0.9 * random())`;

/** After a success that ends a failure: back to its interval at once, but not in step with who came back beside it. */
const nextAfterRecovery = `now() + ${interval} * (0.5 + 0.5 * random())`;

/**
 * After a change of how a host is pulled: no later than one interval from now, however far it had backed off and however
 * long its interval was. Many are changed at once, so what is brought forward is spread over the interval.
 */
export const nextAfterChange = `CASE
  WHEN t.next_pull_at > now() + ${interval} THEN now() + ${interval} * (0.1 + 0.9 * random())
  ELSE t.next_pull_at END`;

/** After any success. */
export const nextAfterSuccess = `CASE
  WHEN t.first_pulled_at IS NULL THEN ${nextAfterFirst}
  WHEN t.failures > 0 THEN ${nextAfterRecovery}
  ELSE t.next_pull_at END`;

/**
 * After a failure; `t.failures` does not count it yet. A host that was pulled before backs off to eight times its
 * interval at most. One that never was has most likely not been given its key yet: it is tried every five minutes for
 * a day, and then at its interval.
 */
export const nextAfterFailure = `now() + CASE
  WHEN t.first_pulled_at IS NOT NULL THEN ${interval} * least(8, power(2, least(t.failures, 3)))
  WHEN t.created_at > now() - interval '1 day' THEN least(${firstDayInterval}, ${interval})
  ELSE ${interval} END * (0.85 + 0.15 * random())`;

/** A pull that somebody has made possible again (resumed, re-keyed): soon, but not all at once. */
export const nextSoon = `now() + least(${firstDayInterval}, ${interval}) * random()`;
