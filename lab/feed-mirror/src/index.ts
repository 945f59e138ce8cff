export type { FeedLayout, LayoutContext, ServedFile, Volume } from './layout.ts';
export { archivedFedoraUpdates, fedoraUpdates } from './layouts/fedora-updateinfo.ts';
export { feedLayouts } from './layouts/registry.ts';
export type { Fault, FaultSwitch } from './serving/fault.ts';
export type { FeedMirror, MirrorRequest } from './serving/start-mirror.ts';
export { startMirror } from './serving/start-mirror.ts';
