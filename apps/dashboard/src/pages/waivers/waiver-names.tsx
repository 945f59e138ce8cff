import type { Waiver } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { groupedNumber } from '../../design/number-words.ts';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { isCve } from './rows-of-waiver.ts';
import styles from './waivers.module.css';

/** Everything that a waiver names, with links to it. */
export function WaiverNames({ waiver }: { readonly waiver: Waiver }) {
  const { advisories, packages, purls, hosts, tags, all_hosts } = waiver;
  return (
    <>
      <Names title="Advisories and CVEs" names={advisories}>
        {(name) =>
          isCve(name) ? (
            <Link to="/cves/$id" params={{ id: name }}>
              <ForeignText text={name} />
            </Link>
          ) : (
            <Link to="/advisories/$id" params={{ id: name }} search={{}}>
              <ForeignText text={name} />
            </Link>
          )
        }
      </Names>
      <Names title="Packages" names={packages}>
        {(name) => (
          <Link to="/packages" search={{ name }}>
            <ForeignText text={name} />
          </Link>
        )}
      </Names>
      <Names title="Only in these packages" names={purls}>
        {(name) => <ForeignText text={name} mono />}
      </Names>
      {all_hosts && <p>It applies to all hosts, also to those that come later.</p>}
      <Names title="Hosts with a tag" names={tags}>
        {(name) => (
          <Link to="/hosts" search={{ tag: name }}>
            <ForeignText text={name} />
          </Link>
        )}
      </Names>
      <Names title="Hosts" names={hosts}>
        {(name) => (
          <Link to="/hosts/$id" params={{ id: name }} search={{ tab: 'vulnerable', waived: 'only' }}>
            <HostName id={name} />
          </Link>
        )}
      </Names>
    </>
  );
}

/** The name of a host; its id until it is read. */
function HostName({ id }: { readonly id: string }) {
  const { data } = useApi('/hosts/{id}', { params: { id } });
  return data === undefined ? <ForeignText text={id} mono /> : <ForeignText text={data.display_name} />;
}

const shownAtOnce = 20;

interface NamesProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly children: (name: string) => React.ReactNode;
}

function Names({ title, names, children }: NamesProps) {
  const [count, setCount] = useState(shownAtOnce);
  if (names.length === 0) return null;
  const left = names.length - count;
  return (
    <section>
      <h3>{title}</h3>
      <ul className={styles['list']}>
        {names.slice(0, count).map((name) => (
          <li key={name}>{children(name)}</li>
        ))}
      </ul>
      {left > 0 && (
        <Button look="quiet" onPress={() => setCount(names.length)}>
          Show {groupedNumber(left)} more
        </Button>
      )}
    </section>
  );
}
