import type { Plan, PlanMove } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { amountInWords, groupedNumber, hostsInWords } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { DueLimit } from '../../words/kev-limit.tsx';
import { blockWords } from '../../words/plan-words.ts';
import styles from './plans.module.css';

const shownFirst = 20;
/** A move on more hosts gives their number only. */
const mostNamed = 3;
const findings = (count: number): string => amountInWords(count, 'finding', 'findings');

/** The smallest set of upgrades and reboots that closes most of the findings. */
export function FewestMoves({ plan }: { readonly plan: Plan }) {
  const { fewest_moves: found, options } = plan;
  const [isWhole, setIsWhole] = useState(false);
  const percent = `${groupedNumber(Math.round(options.share * 100))} %`;
  const shown = isWhole ? found.moves : found.moves.slice(0, shownFirst);
  const names = new Map(plan.hosts.map((host) => [host.host_id, host.display_name]));
  return (
    <Panel title="Fewest moves">
      <div className={styles['stack']}>
        <p>{sentence(plan, percent)}</p>
        <DueLimit />
        {shown.length > 0 && (
          <ol className={styles['moves']}>
            {shown.map((move) => (
              <li
                key={
                  move.kind === 'reboot' ? `r${move.host_id}` : `u${move.package_manager} ${move.source_name}`
                }
              >
                <Move move={move} names={names} />
              </li>
            ))}
          </ol>
        )}
        {shown.length < found.moves.length && (
          <div className={styles['buttons']}>
            <Button onPress={() => setIsWhole(true)}>
              Show all {groupedNumber(found.moves.length)} moves
            </Button>
          </div>
        )}
        {found.blocked.length > 0 && (
          <div className={styles['tight']}>
            <h3>{findings(found.findings - found.closable)} that no move closes</h3>
            <ul className={styles['list']}>
              {found.blocked.map(({ reason, findings: count }) => (
                <li key={reason}>
                  {blockWords(reason)}: {groupedNumber(count)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Panel>
  );
}

function sentence({ fewest_moves: found }: Plan, percent: string): string {
  if (found.findings === 0) return 'No finding with a fix is known on these hosts.';
  const kind = basisWords[found.basis];
  if (found.closable === 0) {
    return `None of the ${findings(found.findings)} ${kind} can be closed by an upgrade or a reboot of this plan.`;
  }
  const count = found.moves.length;
  const moves = amountInWords(count, 'move closes', 'moves close');
  const of =
    found.target_of === 'all'
      ? `${groupedNumber(found.closed)} of ${findings(found.findings)} ${kind}, at least ${percent}.`
      : `${groupedNumber(found.closed)} of the ${findings(found.closable)} ${kind} that can be closed, at least ${percent} of them; ${percent} of all ${groupedNumber(found.findings)} cannot be reached.`;
  const proof =
    found.at_least === count
      ? 'No smaller number of moves does.'
      : `At least ${amountInWords(found.at_least, 'move is', 'moves are')} needed.`;
  return `${moves} ${of} ${proof} ${fallbackWords[found.basis]}`.trimEnd();
}

const basisWords: Readonly<Record<Plan['fewest_moves']['basis'], string>> = {
  overdue: 'past their due date',
  due: 'with a due date',
  with_fix: 'with a fix',
};

const fallbackWords: Readonly<Record<Plan['fewest_moves']['basis'], string>> = {
  overdue: '',
  due: 'No finding with a fix is past its due date, so all with a due date count.',
  with_fix: 'No finding with a fix has a due date, so all with a fix count.',
};

function Move({ move, names }: { readonly move: PlanMove; readonly names: ReadonlyMap<string, string> }) {
  const urgent = move.urgent === 0 ? '' : `, ${groupedNumber(move.urgent)} of them urgent`;
  if (move.kind === 'reboot') {
    return (
      <>
        Reboot{' '}
        <Link to="/hosts/$id" params={{ id: move.host_id }} search={{}}>
          <ForeignText text={names.get(move.host_id) ?? move.host_id} />
        </Link>
        : closes {findings(move.closes)}
        {urgent}.
      </>
    );
  }
  const together =
    move.enables === 0
      ? ''
      : `${move.closes === 0 ? '' : ', '}${findings(move.enables)} together with the reboots below`;
  return (
    <>
      Upgrade{' '}
      <strong>
        <ForeignText text={move.source_name} />
      </strong>{' '}
      ({move.package_manager}) on <Hosts ids={move.hosts} names={names} />: closes{' '}
      {move.closes === 0 && together !== '' ? '' : findings(move.closes)}
      {together}
      {urgent}.
    </>
  );
}

function Hosts({
  ids,
  names,
}: {
  readonly ids: readonly string[];
  readonly names: ReadonlyMap<string, string>;
}) {
  if (ids.length > mostNamed) return <>{hostsInWords(ids.length)}</>;
  return <ForeignText text={ids.map((id) => names.get(id) ?? id).join(', ')} />;
}
