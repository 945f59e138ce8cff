import { type SettingKey, settingKeys, settingOf } from './settings.ts';

const exampleHeading = `# Every setting of Plimsoll with its default; "…" has none. Copy what you change to plimsoll.yaml, without the "#".
# Written by \`npm run docs:configuration -w @plimsoll/config\`: edit packages/config, not this file.
`;

/** Returns plimsoll.example.yaml: every setting as a comment, with its explanation. Without "#" its values are the defaults. */
export function configExample(): string {
  const groups = [...groupedKeys()].map(([group, keys]) =>
    [`# ${group}`, '', ...keys.map((key) => exampleOf(key))].join('\n'),
  );
  return `${exampleHeading}\n${groups.join('\n')}`;
}

function groupedKeys(): ReadonlyMap<string, readonly SettingKey[]> {
  const groups = new Map<string, SettingKey[]>();
  for (const key of settingKeys) {
    const group = key.includes('.') ? key.slice(0, key.indexOf('.')) : 'general';
    groups.set(group, [...(groups.get(group) ?? []), key]);
  }
  return groups;
}

function exampleOf(key: SettingKey): string {
  const { type, fallback, secret, about, aliases } = settingOf(key);
  const also = aliases.map((name) => ` Also read from the variable \`${name}\`.`).join('');
  const text = `${about} Accepts ${type.accepts}.${also}${secret ? ' Secret: never shown.' : ''}`;
  const value = fallback === null || fallback === undefined ? '…' : JSON.stringify(fallback);
  return [...wrapped(text).map((line) => `# ${line}`), `#${key}: ${value}`, ''].join('\n');
}

function wrapped(text: string): readonly string[] {
  return text.match(/\S.{0,115}(?=\s|$)/g) ?? [];
}
