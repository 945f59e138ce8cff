import type { FeedLayout } from '../layout.ts';

const folder = 'https://debian.pages.debian.net/distro-info-data';

/** Lines of debian.csv in distro-info-data (ISC licence). */
const debian = `version,codename,series,created,release,eol,eol-lts,eol-elts
11,Bullseye,bullseye,2019-07-06,2021-08-14,2024-08-14,2026-08-31,2031-06-30
12,Bookworm,bookworm,2021-08-14,2023-06-10,2026-07-11,2028-06-30,2033-06-30
13,Trixie,trixie,2023-06-10,2025-08-09,2028-08-09,2030-06-30,2035-06-30
14,Forky,forky,2025-08-09
,Sid,sid,1993-08-16
`;

/** Lines of ubuntu.csv in distro-info-data (ISC licence). */
const ubuntu = `version,codename,series,created,release,eol,eol-server,eol-esm,eol-legacy
22.04 LTS,Jammy Jellyfish,jammy,2021-10-14,2022-04-21,2027-06-01,2027-06-01,2032-04-21,2034-04-25
24.04 LTS,Noble Numbat,noble,2023-10-12,2024-04-25,2029-05-31,2029-05-31,2034-04-25,2036-04-29
`;

function layout(feedId: string, name: string, table: string): FeedLayout {
  return { feedId, files: ({ store }) => [{ url: `${folder}/${name}.csv`, content: store.keep([table]) }] };
}

/** Debian's support periods. */
export const debianLifecyclesLayout = layout('debian-lifecycles', 'debian', debian);
/** Ubuntu's support periods. */
export const ubuntuLifecyclesLayout = layout('ubuntu-lifecycles', 'ubuntu', ubuntu);
