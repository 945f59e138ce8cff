import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import { Unseen } from '../states.tsx';
import styles from './tabs.module.css';

/** One tab. Its content is rendered only while it is selected. */
export interface TabSpec<Id extends string> {
  readonly id: Id;
  readonly words: string;
  /** `?` if unknown. */
  readonly count?: string | undefined;
  /** Addition to the count: what it leaves out. */
  readonly addition?: string | undefined;
  readonly content: () => ReactNode;
}

/** A question mark with a text for screen readers. */
function Unknown() {
  return (
    <>
      <span aria-hidden>?</span>
      <Unseen>not known</Unseen>
    </>
  );
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly TabSpec<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}

/** Tabs of a page. The page's address holds the selected one. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) {
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => onSelect(String(key) as Id)}>
      <TabList aria-label={label} className={styles['list'] ?? ''}>
        {tabs.map(({ id, words, count, addition = '' }) => (
          <Tab key={id} id={id} className={styles['tab'] ?? ''}>
            {words}
            {count !== undefined && (
              <span className={styles['count']}>{count === '?' ? <Unknown /> : count}</span>
            )}
            {addition !== '' && <span className={styles['addition']}>{addition}</span>}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles['panel'] ?? ''}>
          {content()}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
