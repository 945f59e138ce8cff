export { observedRepositories, oldestListAt } from './observed-repositories.ts';
export type { ReportFacts } from './report-facts.ts';
export { readReportFacts } from './report-facts.ts';
export type { IntakeServices, UploadBody, UploadFacts } from './store-upload.ts';
export { storeUpload } from './store-upload.ts';
export type { TakenReport } from './take-report.ts';
export { takeReport } from './take-report.ts';
