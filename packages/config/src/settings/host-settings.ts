import { integer, lagExceptions } from '../setting-type.ts';
import { preset } from './setting.ts';

/** Settings of hosts, their uploads and their enrolment. */
export const hostSettings = {
  'agent.report_interval_seconds': preset(
    integer(60, 604_800),
    3600,
    'Seconds between two reports of an agent. Agents learn a change with their next report.',
  ),
  'agent.token_days': preset(
    integer(0, 3650),
    30,
    'Days after which an agent gets a new host token with the answer to a report. The old one ends when the new one was ' +
      'used. 0: tokens last until the host is deleted or enrolled again.',
  ),
  'uploads.burst': preset(
    integer(1, 10_000),
    30,
    'Uploads with new content that one host may send at once. Uploads by agents, by people and by pulls over ' +
      'SSH are counted separately. Further ones are answered 429, and the agent sends its newest report later.',
  ),
  'uploads.every_seconds': preset(
    integer(1, 86_400),
    60,
    'Seconds after which one host may send one more upload, once `uploads.burst` is used up. An unchanged ' +
      'upload counts for a tenth.',
  ),
  'uploads.mebibytes_per_day': preset(
    integer(32, 1_048_576),
    128,
    'MiB that the uploads of one host may have in 24 hours, compressed; unchanged ones are not counted.',
  ),
  'uploads.new_packages_per_day': preset(
    integer(1_000, 10_000_000),
    30_000,
    'New versions of packages and updates that one host may report in 24 hours. A version is new if no other ' +
      'host had it before; changes of more than 100 packages at a time are counted, too, and a release that no ' +
      'host had before counts as 100. An upgrade to a new release needs some thousands. An upload above the ' +
      'limit is rejected with `rate_limited`.',
  ),
  'uploads.pending_per_day': preset(
    integer(100, 10_000_000),
    20_000,
    'Uploads that the pending hosts of one registration token may send together in 24 hours. Uploads above ' +
      'this or the next limit are answered 429. Approved hosts are not counted.',
  ),
  'uploads.pending_mebibytes_per_day': preset(
    integer(32, 1_048_576),
    512,
    'MiB that the uploads of these hosts may have together in 24 hours, compressed; unchanged ones are not counted.',
  ),
  'uploads.pending_new_packages_per_day': preset(
    integer(1_000, 10_000_000),
    30_000,
    'New versions of packages and updates, and changes, counted as for `uploads.new_packages_per_day`, that ' +
      'these hosts may report together in 24 hours. An upload above the limit is stored, and waits until the ' +
      'allowance suffices or its host is approved.',
  ),
  'uploads.token_mebibytes_per_day': preset(
    integer(32, 1_048_576),
    2_048,
    'MiB that the uploads of the hosts that one registration token approved in the last 24 hours may have ' +
      'together in 24 hours, compressed; unchanged ones are not counted. Uploads above this are answered 429.',
  ),
  'uploads.token_new_packages_per_day': preset(
    integer(1_000, 10_000_000),
    100_000,
    'New versions of packages and updates, counted as for `uploads.new_packages_per_day` but without changes, ' +
      'that these hosts may report together in 24 hours. An upload above the limit is stored, and waits until ' +
      'the allowance suffices, its host is approved by a user, or 24 hours after its enrolment.',
  ),
  'enrolment.burst': preset(
    integer(1, 100_000),
    100,
    'Hosts that may enrol at once with one registration token. Further ones are answered 429, and their ' +
      'agents try again.',
  ),
  'enrolment.per_minute': preset(
    integer(1, 100_000),
    300,
    'Hosts per minute that may enrol with one registration token, once `enrolment.burst` is used up.',
  ),
  'hosts.manual_stale_days': preset(
    integer(1, 3650),
    30,
    'Days without a new report after which a host of the mode `manual` is stale.',
  ),
  'hosts.retire_after_days': preset(
    integer(0, 3650),
    0,
    'Days without a contact after which a host is retired by itself; 0: never. Below 7 counts as 7. Nothing is retired ' +
      'until the service has run on each of the last seven days, so that its own outage retires no host.',
  ),
  'hosts.repository_max_lag_days': preset(
    integer(1, 3650),
    7,
    'Days by which a copy of a repository may be older than the newest known one before its host is outdated.',
  ),
  'hosts.repository_max_lag_exceptions': preset(
    lagExceptions(),
    [],
    'Other numbers of days: for a repository by its suite or id (`noble-security=3`, `Debian/bookworm=30`), ' +
      'for hosts with a tag (`@ring-2=30`), or for both (`noble-security@ring-2=14`). Both take precedence over ' +
      'a tag alone, and a tag over a repository alone.',
  ),
} as const;
