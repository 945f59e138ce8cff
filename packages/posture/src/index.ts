export { assessStoredHost } from './assess-stored-host.ts';
export { classifyVersion, currentRules, releaseFactsOf } from './classify-version.ts';
export { cveRule } from './cve-rule.ts';
export type {
  ExplainedPackage,
  ExplainedStatement,
  Explanation,
} from './explain/explanation.ts';
export type { LoadedExplanation } from './explain/load-explanation.ts';
export { loadExplanation } from './explain/load-explanation.ts';
export { lagRulesOf } from './lag-rules.ts';
export { createRepositoryRule } from './repository-rule.ts';
export { countRule, matchRule } from './rules.ts';
export { storedFactsOf } from './stored-facts.ts';
