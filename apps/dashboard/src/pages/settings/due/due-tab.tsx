import { DuePolicyPanel } from './due-policy-panel.tsx';
import { ExposureRulesPanel } from './exposure-rules-panel.tsx';

/** When findings are to be closed, and which hosts can be reached from the internet. */
export function DueTab() {
  return (
    <>
      <DuePolicyPanel />
      <ExposureRulesPanel />
    </>
  );
}
