import { Link } from '@tanstack/react-router';
import { useApi } from '../../api/queries.ts';
import { Notice } from '../../design/notice.tsx';
import { hostsInWords } from '../../design/number-words.ts';

interface OtherPackagesProps {
  readonly name: string;
  readonly versionBelow: string | undefined;
}

/** The most packages that are named; a source package has at most a few dozen that hosts have. */
const mostNames = '100';

/** Packages built from a source package of this name: a question about openssl can mean libssl3, too. */
export function OtherPackages({ name, versionBelow }: OtherPackagesProps) {
  const { data = [] } = useApi('/package-names', { query: { source: name, limit: mostNames } });
  const others = data.filter((other) => other.name !== name);
  if (others.length === 0) return null;
  return (
    <Notice tone="neutral">
      <p>
        Other packages are built from the source package {name}. Their hosts are not listed here:{' '}
        {others.map((other, index) => (
          <span key={other.name}>
            {index > 0 && ', '}
            <Link
              to="/packages"
              search={{ name: other.name, ...(versionBelow !== undefined && { version_lt: versionBelow }) }}
            >
              {other.name}
            </Link>{' '}
            on {hostsInWords(other.hosts)}
          </span>
        ))}
        .
      </p>
    </Notice>
  );
}
