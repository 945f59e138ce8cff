import type { Fleet } from '../fleet/fleet.ts';
import { LoadtestError } from '../loadtest-error.ts';
import { inLanes } from './in-lanes.ts';
import { type ServiceClient, textOfAnswer } from './service-client.ts';

/** A host of the fleet as the service knows it. */
export interface EnrolledMember {
  /** Its number in the fleet. */
  readonly host: number;
  readonly hostId: string;
  readonly token: string;
}

/** Hosts per registration token: a burst of enrolments with one token is limited (`enrolment.burst`). */
const hostsPerToken = 50;
const mostAttempts = 20;

/** Signs in; returns the token of the session. Throws if the service refuses. */
export async function signIn(
  client: ServiceClient,
  credentials: { readonly email: string; readonly password: string },
): Promise<string> {
  const answer = await client.send({ method: 'POST', path: '/auth/login', body: credentials });
  return textOfAnswer(answer, { wanted: 200, field: 'token', what: 'signing in' });
}

/**
 * Enrols every host of the fleet as its agent does, with registration tokens that approve it. Returns them by number.
 * Throws for a refusal other than `429`, which it repeats after the wanted time.
 */
export async function enrolFleet(
  client: ServiceClient,
  fleet: Fleet,
  { session, lanes }: { readonly session: string; readonly lanes: number },
): Promise<readonly EnrolledMember[]> {
  const enrolled: EnrolledMember[] = [];
  const groups = Array.from({ length: Math.ceil(fleet.hosts / hostsPerToken) }, (_, group) => group);
  await inLanes(groups, lanes, async (group) => {
    const issued = await client.send({
      method: 'POST',
      path: '/registration-tokens',
      token: session,
      body: { name: `loadtest ${group}`, auto_approve: true, max_uses: hostsPerToken },
    });
    const registration = textOfAnswer(issued, { wanted: 201, field: 'token', what: 'a registration token' });
    const last = Math.min(fleet.hosts, (group + 1) * hostsPerToken);
    for (let host = group * hostsPerToken; host < last; host += 1)
      enrolled.push(await enrol(client, fleet, { host, registration }));
  });
  return enrolled.sort((a, b) => a.host - b.host);
}

async function enrol(
  client: ServiceClient,
  fleet: Fleet,
  { host, registration }: { readonly host: number; readonly registration: string },
): Promise<EnrolledMember> {
  const platform = fleet.models[fleet.profile(host).model]?.snapshot.platform;
  const what = `enrolling ${fleet.hostname(host)}`;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await client.send({
      method: 'POST',
      path: '/agent/register',
      body: {
        registration_token: registration,
        hostname: fleet.hostname(host),
        machine_id: fleet.machineId(host),
        metadata: {
          os_name: platform?.osId,
          os_version: platform?.osVersion,
          architecture: platform?.architecture,
        },
      },
    });
    if (answer.status === 429 && attempt < mostAttempts) {
      await new Promise((resolve) => setTimeout(resolve, (answer.retryAfter ?? 1) * 1_000));
      continue;
    }
    const token = textOfAnswer(answer, { wanted: 201, field: 'host_access_token', what });
    if (textOfAnswer(answer, { wanted: 201, field: 'approval_status', what }) !== 'approved')
      throw new LoadtestError(`${what}: it is pending, because another host has its machine id`);
    return { host, hostId: textOfAnswer(answer, { wanted: 201, field: 'host_id', what }), token };
  }
}
