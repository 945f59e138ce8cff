export { assessStoredHost } from './assess-stored-host.ts';
export { classifyVersion, releaseFactsOf } from './classify-version.ts';
export { countRule, matchRule } from './rules.ts';
