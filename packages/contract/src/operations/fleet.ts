import { z } from 'zod';
import { fleetDaySchema, fleetSummarySchema, fleetTrendQuerySchema } from '../fleet.ts';
import { json, operationsFor, restingOnKev } from '../operation.ts';
import { timeToPatchQuerySchema, timeToPatchSchema } from '../time-to-patch.ts';

const { forViewers } = operationsFor('fleet');

/** Operations on the whole fleet. */
export const fleetOperations = {
  getFleetSummary: forViewers('get', '/api/v1/fleet/summary', {
    summary: 'Totals of the approved hosts; each equals the length of a list of hosts',
    responses: { 200: restingOnKev(json(fleetSummarySchema, 'The fleet as it is now.')) },
  }),
  getFleetTrend: forViewers('get', '/api/v1/fleet/trend', {
    summary: 'The same numbers day by day',
    heavy: true,
    query: fleetTrendQuerySchema,
    responses: {
      200: restingOnKev(
        json(
          z.array(fleetDaySchema),
          'One entry per day, the oldest first; the last is now. `known_exploited` is null for days before the first import of CISA KEV was counted on all hosts.',
        ),
      ),
    },
  }),
  getTimeToPatch: forViewers('get', '/api/v1/fleet/time-to-patch', {
    summary: 'How long exposures of the approved hosts took in a period, and where the time went',
    heavy: true,
    query: timeToPatchQuerySchema,
    responses: { 200: json(timeToPatchSchema, 'The period.') },
  }),
};
