import type { Plan, PlanMove } from '@plimsoll/contract';
import { blockWords } from '@plimsoll/words';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { amountInWords, groupedNumber, hostsInWords } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { fewestMovesInWords, urgentInWords } from '../../words/fewest-moves-words.ts';
import { DueLimit } from '../../words/kev-limit.tsx';
import styles from './plans.module.css';

const shownFirst = 20;
/** A move on more hosts gives their number only. */
const mostNamed = 3;
const findings = (count: number): string => amountInWords(count, 'finding', 'findings');

/** The smallest set of upgrades and reboots that closes most of the findings. */
export function FewestMoves({ plan }: { readonly plan: Plan }) {
  const { fewest_moves: found, options } = plan;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? found.moves : found.moves.slice(0, shownFirst);
  const names = new Map(plan.hosts.map((host) => [host.host_id, host.display_name]));
  return (
    <Panel title="Fewest moves">
      <div className={styles['stack']}>
        <p>{fewestMovesInWords(found, options.share)}</p>
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
                  {blockWords[reason].words}: {groupedNumber(count)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Panel>
  );
}

function Move({ move, names }: { readonly move: PlanMove; readonly names: ReadonlyMap<string, string> }) {
  const urgent = urgentInWords(move.urgent, move.closes + (move.kind === 'reboot' ? 0 : move.enables));
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
