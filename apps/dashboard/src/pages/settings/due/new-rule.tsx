import type { DueRule } from '@plimsoll/contract';
import { useState } from 'react';
import { NumberField, Select } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { tagsIn } from '../../../words/tag-list.ts';
import { TagsInput } from '../../tags/tags-input.tsx';
import styles from '../settings.module.css';

type Choice<Value extends string> = readonly (readonly [Value, string])[];

const severities: Choice<NonNullable<DueRule['severity']> | 'any'> = [
  ['any', 'Any severity'],
  ['critical', 'Critical'],
  ['important', 'Important'],
  ['moderate', 'Moderate'],
  ['low', 'Low'],
  ['unrated', 'Unrated'],
];
const exploited: Choice<'any' | 'active' | 'yes' | 'no'> = [
  ['any', 'Exploited or not'],
  ['active', 'Exploited: in CISA KEV, or active by SSVC'],
  ['yes', 'In CISA KEV'],
  ['no', 'Not in CISA KEV'],
];
const exposures: Choice<'any' | 'public' | 'internal'> = [
  ['any', 'Any host'],
  ['public', 'Reachable from the internet, or not known'],
  ['internal', 'Not reachable from the internet'],
];
const automatables: Choice<'any' | 'yes' | 'no' | 'undecided'> = [
  ['any', 'Automatable or not'],
  ['yes', 'Automatable, or not decided and exploited'],
  ['no', 'Not automatable, or not decided'],
  ['undecided', 'Not decided'],
];
const impacts: Choice<'any' | 'partial' | 'total'> = [
  ['any', 'Any impact'],
  ['total', 'Total impact, or not decided'],
  ['partial', 'Partial impact'],
];
const clocks: Choice<DueRule['clock'] | 'next_upgrade'> = [
  ['published', 'Since the fix was published'],
  ['installed', 'Since the host got the package version'],
  ['kev', 'Since CISA listed the CVE as exploited'],
  ['detected', 'Since it could be detected on the host, or CISA listed it'],
  ['next_upgrade', 'No date: with the next upgrade'],
];

const examinations: Choice<'no' | 'yes'> = [
  ['no', 'Nothing more'],
  ['yes', 'A forensic investigation: evidence is taken before a change'],
];

/** Adds a rule at the end. */
export function NewRule({ onAdd }: { readonly onAdd: (rule: DueRule) => void }) {
  const [severity, setSeverity] = useState(severities[0]?.[0] ?? 'any');
  const [known, setKnown] = useState(exploited[0]?.[0] ?? 'any');
  const [exposure, setExposure] = useState(exposures[0]?.[0] ?? 'any');
  const [automatable, setAutomatable] = useState(automatables[0]?.[0] ?? 'any');
  const [impact, setImpact] = useState(impacts[0]?.[0] ?? 'any');
  const [clock, setClock] = useState(clocks[0]?.[0] ?? 'published');
  const [forensics, setForensics] = useState(examinations[0]?.[0] ?? 'no');
  const add = async (values: FormData) => {
    const tags = tagsIn(String(values.get('tags') ?? ''));
    const isExploited = clock === 'kev' ? 'yes' : known;
    onAdd({
      ...(tags.length === 0 ? {} : { tags }),
      ...(severity === 'any' ? {} : { severity }),
      ...(isExploited === 'active' && { exploitation: isExploited }),
      ...(isExploited === 'yes' || isExploited === 'no' ? { known_exploited: isExploited === 'yes' } : {}),
      ...(exposure === 'any' ? {} : { exposure }),
      ...(automatable === 'undecided' && { decided: false }),
      ...(automatable === 'yes' || automatable === 'no' ? { automatable: automatable === 'yes' } : {}),
      ...(impact === 'any' ? {} : { impact }),
      ...(clock === 'next_upgrade'
        ? { next_upgrade: true, clock: 'published' }
        : { days: Number(values.get('days')), clock }),
      ...(forensics === 'yes' && { forensics: true }),
    });
  };
  return (
    <Form submit="Add the rule" onSubmit={add}>
      <div className={styles['stack']}>
        <TagsInput name="tags" label="Tags" hint="Separated by commas. Empty: all hosts." />
        <Select label="Severity" value={severity} onChange={setSeverity} options={severities} />
        <Select
          label="Exploitation"
          value={clock === 'kev' ? 'yes' : known}
          onChange={setKnown}
          options={exploited}
          isDisabled={clock === 'kev'}
        />
        <Select label="Host" value={exposure} onChange={setExposure} options={exposures} />
        <Select
          label="Automatable, by SSVC"
          hint="CISA's answer to whether attacks on the CVE can be automated (feed cisa-ssvc)."
          value={automatable}
          onChange={setAutomatable}
          options={automatables}
        />
        <Select
          label="Impact, by SSVC"
          hint="CISA's answer to how much control an attacker gains."
          value={impact}
          onChange={setImpact}
          options={impacts}
        />
        <Select label="Time" value={clock} onChange={setClock} options={clocks} />
        {clock !== 'next_upgrade' && (
          <NumberField name="days" label="Days" defaultValue={14} minValue={1} maxValue={3650} isRequired />
        )}
        <Select label="Asks for" value={forensics} onChange={setForensics} options={examinations} />
      </div>
    </Form>
  );
}
