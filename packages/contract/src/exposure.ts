import { exposureCauses, severities } from '@plimsoll/model';
import { z } from 'zod';
import { id, paging, queryFlag, queryTime, timestamp } from './field-types.ts';

const cause = z.enum(exposureCauses);

/** A time span in which a host was exposed to what an advisory is about. Times on the host are those of its snapshots. */
export const exposureSchema = z
  .strictObject({
    host_id: id,
    package: z.string().describe('Its name; of kernels that of the last one that ran.'),
    advisory_id: z.string(),
    cves: z
      .array(z.string())
      .describe(
        'Those that were open on the package, as known last: before a change of the advisory they could be others. `GET /cves/{id}/exposures` goes by what it named at each time.',
      ),
    severity: z.enum(severities).describe('As known last.'),
    from: timestamp,
    from_cause: cause.describe(
      'first_snapshot: the host came with it. package_changed: the package was installed or changed version; the same build with another repository, module stream or vendor is no change. kernel_booted: the host booted the kernel. advisory_published, advisory_changed: the advisory was imported, or began to affect the package. source_changed: another record about the same CVEs counts now. rules_changed: Plimsoll judges it in another way: by its rules or its list of known errors of feeds, or because the host says something else of the same build.',
    ),
    until: timestamp.nullable().describe('null: it goes on.'),
    until_cause: cause
      .nullable()
      .describe('advisory_withdrawn: also if its feed no longer has it. The others as for from_cause.'),
    published_at: timestamp.nullable().describe('When its vendor published the advisory.'),
    known_at: timestamp.describe('Since when Plimsoll knew that the package is affected.'),
    offered_at: timestamp
      .nullable()
      .describe("When the host's repositories first offered a version with the fix."),
    installed_at: timestamp
      .nullable()
      .describe('When a version without the flaw was installed; null also if the package was removed.'),
    running_at: timestamp
      .nullable()
      .describe(
        'When such a version ran: of a kernel its boot; of other packages the first report from then on that says that no service has to be restarted. null: not yet, or not known.',
      ),
  })
  .meta({ id: 'Exposure' });

export type ExposureAnswer = z.output<typeof exposureSchema>;

/** Filters of a list of exposures. */
export const exposureQuerySchema = z.strictObject({
  ...paging,
  from: queryTime.optional().describe('Exposures that went on after this time.'),
  to: queryTime.optional().describe('Exposures that began before this time.'),
  severity: z.enum(severities).optional().describe('Default: all but none.'),
  open: queryFlag.optional().describe('true: those that go on; false: those that ended.'),
});

export type ExposureQuery = z.output<typeof exposureQuerySchema>;
