export { storeKnownUpload } from './store-known-upload.ts';
export {
  gunzipAtOnce,
  type IntakeServices,
  observedRepositories,
  oldestListAt,
  type ReportFacts,
  readReportFacts,
  storeUpload,
  takeReport,
  type UploadBody,
  type UploadFacts,
} from './store-upload.ts';
