import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';
import { withoutCredentials } from '../url.ts';

/** A suite of a configured apt repository. */
export interface AptSource {
  readonly url: string;
  readonly suite: string;
  readonly enabled: boolean;
}

/** A stanza combines each of its URLs with each of its suites; real ones have a few. */
const maxStanzaSources = 1_000;

const oneLine = /^(deb(?:-src)?)\s+(?:\[[^\]]*\]\s*)?(\S+)\s+(\S+)/;
const stanzaField = /^([A-Za-z][A-Za-z0-9-]*):(.*)$/;

/** Parses `apt-sources`: sources.list(5), in both styles. Skips repositories of source packages. */
export function parseAptSources({ lines }: ReportSection, notes: SectionNotes): readonly AptSource[] {
  const sources: AptSource[] = [];
  let stanza = new Map<string, string>();
  let openField = '';
  for (const line of lines) {
    const [, type, url = '', suite = ''] = oneLine.exec(line) ?? [];
    if (line.startsWith('#')) continue;
    if (type !== undefined || line.trim() === '') {
      takeStanza(stanza, sources, notes);
      stanza = new Map();
      openField = '';
      if (type === 'deb') sources.push({ url: withoutCredentials(url), suite, enabled: true });
      continue;
    }
    const [, name, value = ''] = stanzaField.exec(line) ?? [];
    if (name !== undefined) {
      openField = name.toLowerCase();
      stanza.set(openField, value.trim());
    } else if (/^[ \t]/.test(line) && isRead(openField)) {
      stanza.set(openField, `${stanza.get(openField) ?? ''} ${line.trim()}`);
    }
  }
  takeStanza(stanza, sources, notes);
  return sources;
}

/** Whether continuation lines of a field are read: keys in `Signed-By` are long and unused. */
function isRead(name: string): boolean {
  return name === 'uris' || name === 'suites' || name === 'types';
}

function takeStanza(stanza: ReadonlyMap<string, string>, sources: AptSource[], notes: SectionNotes): void {
  if (!words(stanza.get('types')).includes('deb')) return;
  const enabled = !['no', 'false', '0', 'off'].includes(stanza.get('enabled')?.toLowerCase() ?? '');
  const urls = words(stanza.get('uris'));
  const suites = words(stanza.get('suites'));
  if (urls.length * suites.length > maxStanzaSources) {
    notes.fail(`a stanza names more than ${maxStanzaSources} sources`);
    return;
  }
  for (const url of urls) {
    for (const suite of suites) sources.push({ url: withoutCredentials(url), suite, enabled });
  }
}

function words(text = ''): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
