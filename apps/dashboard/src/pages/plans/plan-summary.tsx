import type { Plan } from '@plimsoll/contract';
import { amountInWords, groupedNumber } from '../../design/number-words.ts';
import { Facts } from '../../design/page/facts.tsx';
import { Panel } from '../../design/page/page.tsx';
import { Time } from '../../design/time/time.tsx';
import { sumOverHosts } from '../../words/plan-words.ts';
import { FewestMoves } from './fewest-moves.tsx';
import { PlanHosts } from './plan-hosts.tsx';

/** A plan of several hosts: its totals, the fewest moves, and every host. */
export function PlanSummary({ plan }: { readonly plan: Plan }) {
  const { totals, options } = plan;
  const unknown = plan.unknown_hosts.length;
  return (
    <>
      <Panel title="Summary">
        <Facts
          facts={[
            ['Made', <Time key="made" at={plan.made_at} />],
            [
              'Hosts',
              [
                `${groupedNumber(totals.planned)} planned`,
                `${groupedNumber(totals.nothing_to_do)} with nothing to install`,
                `${groupedNumber(totals.not_plannable)} cannot be planned`,
                ...(unknown === 0 ? [] : [`${groupedNumber(unknown)} no longer known`]),
              ].join(', '),
            ],
            [
              'Script and playbook',
              totals.not_covered === 0
                ? 'Cover every host'
                : `Leave out ${amountInWords(totals.not_covered, 'host', 'hosts')}, each with the reason below`,
            ],
            ...(totals.forensics_first === 0
              ? []
              : ([
                  [
                    'Evidence first',
                    `On ${amountInWords(totals.forensics_first, 'host', 'hosts')}: script and playbook stop there until you state that it is taken`,
                  ],
                ] as const)),
            ['Updates', updatesInWords(options)],
            ['Package changes', groupedNumber(totals.packages)],
            [
              'Advisories closed',
              totals.closes_after_reboot === 0
                ? sumOverHosts(totals.closes, totals.hosts)
                : `${sumOverHosts(totals.closes, totals.hosts)}, ${groupedNumber(totals.closes_after_reboot)} of them after a reboot`,
            ],
            ['Advisories that stay open', sumOverHosts(totals.stays_open, totals.hosts)],
            [
              'Reboots',
              `${amountInWords(totals.reboots_needed, 'host needs', 'hosts need')} one afterwards${
                totals.reboots_unknown === 0 ? '' : `, not known of ${groupedNumber(totals.reboots_unknown)}`
              }${options.reboot ? '' : '; this plan does not reboot'}`,
            ],
            [
              'Restarts of services',
              totals.restarts_unknown === 0
                ? 'No further ones'
                : `Known only after the upgrade on ${amountInWords(totals.restarts_unknown, 'host', 'hosts')}`,
            ],
          ]}
        />
      </Panel>
      <FewestMoves plan={plan} />
      <PlanHosts hosts={plan.hosts} />
    </>
  );
}

/** Which updates a plan installs, in the words of its options. */
function updatesInWords({ upgrades, versions }: Plan['options']): string {
  const which = upgrades === 'all' ? 'All' : 'Security only';
  return `${which}; ${versions === 'pinned' ? 'exactly these versions' : 'the newest versions at run time'}`;
}
