import { severityOrder, severityWords } from '@plimsoll/words';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Select, TextField } from '../../design/form/fields.tsx';
import { type Period, periodsAt } from './period.ts';
import styles from './time-to-patch.module.css';

type Severity = (typeof severityOrder)[number];

interface PatchFiltersProps {
  readonly now: Date;
  readonly period: Period;
  readonly severity: Severity | undefined;
  readonly tags: readonly string[];
}

const severities = [
  ['any', 'Any severity'],
  ...severityOrder
    .filter((severity) => severity !== 'none')
    .map((severity) => [severity, severityWords[severity].words] as const),
] as const;

/** The period, severity and tags of the page; the address holds them. */
export function PatchFilters({ now, period, severity, tags }: PatchFiltersProps) {
  const navigate = useNavigate({ from: '/time-to-patch' });
  const change = (changed: Readonly<Record<string, string | undefined>>) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...changed }).filter(
            ([, value]) => value !== undefined && value !== '',
          ),
        ),
      replace: true,
      resetScroll: false,
    });
  const periods = periodsAt(now);
  return (
    <search className={styles['filters']} aria-label="Time to patch">
      <nav className={styles['periods']} aria-label="Period">
        {periods.map(({ id, words }) => (
          <Button
            key={id}
            aria-pressed={id === period.id}
            look={id === period.id ? 'primary' : 'plain'}
            onPress={() => change({ period: id, from: undefined, to: undefined })}
          >
            {words}
          </Button>
        ))}
      </nav>
      <div className={styles['fields']}>
        <OwnPeriod key={`${period.from} ${period.to}`} now={now} period={period} onChoose={change} />
        <Select
          label="Severity"
          value={severity ?? 'any'}
          onChange={(value) => change({ severity: value === 'any' ? undefined : value })}
          options={severities}
        />
        <Tags key={tags.join()} tags={tags} onChoose={change} />
      </div>
    </search>
  );
}

interface ChooserProps {
  readonly onChoose: (changed: Readonly<Record<string, string | undefined>>) => void;
}

const dayMs = 86_400_000;

/** The last day (UTC) of a period. */
function lastDayOf({ to }: Period, now: Date): string {
  return (to === null ? now : new Date(Date.parse(to) - 1)).toISOString().slice(0, 10);
}

function OwnPeriod({
  now,
  period,
  onChoose,
}: ChooserProps & { readonly now: Date; readonly period: Period }) {
  const [from, setFrom] = useState(period.from.slice(0, 10));
  const [to, setTo] = useState(lastDayOf(period, now));
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  return (
    <form
      className={styles['own']}
      onSubmit={(event) => {
        event.preventDefault();
        if (days >= 0) onChoose({ period: undefined, from, to });
      }}
    >
      <TextField label="From" type="date" value={from} onChange={setFrom} />
      <TextField label="To" type="date" value={to} onChange={setTo} />
      <Button type="submit" isDisabled={!(days >= 0 && days <= 730)}>
        Show
      </Button>
    </form>
  );
}

function Tags({ tags, onChoose }: ChooserProps & { readonly tags: readonly string[] }) {
  const [text, setText] = useState(tags.join(', '));
  return (
    <form
      className={styles['own']}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose({ tag: text });
      }}
    >
      <TextField
        label="Tags"
        placeholder="Any; several with commas"
        value={text}
        onChange={setText}
        maxLength={500}
      />
      <Button type="submit">Show</Button>
    </form>
  );
}
