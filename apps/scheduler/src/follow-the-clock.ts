import type { RetentionClock } from '@plimsoll/db';

/** Hosts report every hour: only a longer silence after a pause is worth a warning. */
const silenceMs = 2 * 3_600_000;
/** A larger difference between this machine's clock and the database's is a fault of one of them. */
const skewMs = 3_600_000;

/**
 * Lets the retention time follow the database's. Throws, as a sentence for admins, why deletions by age are held back, or that
 * this machine's clock is wrong.
 */
export async function followTheClock({ clock }: { readonly clock: RetentionClock }): Promise<void> {
  const { at, jumpedAt, now, said } = await clock.follow();
  const held = `Nothing is deleted by age beyond ${at.toISOString()}.`;
  if (jumpedAt !== null && said.agree <= said.differ) {
    if (said.differ > 0)
      throw new Error(
        `The database's clock says ${now.toISOString()}, and ${said.differ} of ${said.agree + said.differ} hosts with a ` +
          `report since ${jumpedAt.toISOString()} say otherwise. ${held} Correct the clock of the database's machine.`,
      );
    if (now.getTime() - jumpedAt.getTime() > silenceMs)
      throw new Error(
        `The database's clock jumped, or the service did not run until ${jumpedAt.toISOString()}, and no host has reported ` +
          `since. ${held} Correct the clock of the database's machine, or let a host report.`,
      );
  }
  const skew = Date.now() - now.getTime();
  if (Math.abs(skew) > skewMs)
    throw new Error(
      `The clock of this scheduler's machine is ${Math.round(Math.abs(skew) / 60_000)} minutes ` +
        `${skew > 0 ? 'ahead of' : 'behind'} the database's, by which the rounds go. Correct one of them.`,
    );
}
