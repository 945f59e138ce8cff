import { type SettingKey, settingKeys, settingOf } from './settings.ts';

const exampleHeading = `# Every setting of Plimsoll with its default; "…" has none. Copy what you change to plimsoll.yaml, without the "#".
# Written by \`npm run docs:configuration -w @plimsoll/config\`: edit packages/config, not this file.
`;

const introduction = `# Configuration

Nothing has to be set: \`npm start\` works without a file. [plimsoll.example.yaml](../plimsoll.example.yaml) explains every setting and what it
accepts; this page lists them. Both are written from packages/config by \`npm run docs:configuration -w @plimsoll/config\`.

- **File**: \`plimsoll.yaml\` in the project folder, or the file that \`--config FILE\` or \`PLIMSOLL_CONFIG\` names (an
  empty \`PLIMSOLL_CONFIG\` means no file). Dotted keys and groups mean the same: \`api.port: 8080\`, or \`port: 8080\`
  below \`api:\`.
- **Environment**: \`PLIMSOLL_\` and the key in capitals, dots as underscores. It wins over the file; a \`PLIMSOLL_\`
  variable wins over an alias. Lists are separated by commas.
- **Secrets from files**: for each setting that is a secret or may contain one, \`NAME_FILE\` names a file whose first line
  is the value of \`NAME\`, as Docker and Kubernetes mount secrets.
- **Relative paths** in a file are meant from the file's folder, elsewhere from the project folder.
- **Mistakes** are reported all at once, each with its key and where it was said. An unknown key, an unknown
  \`PLIMSOLL_\` variable and an empty value are mistakes. \`npx plimsoll config check\` shows what the configuration comes
  to, without secrets.
`;

/** Returns the reference page of every setting, as Markdown: docs/configuration.md. */
export function configReference(): string {
  const sections = [...groupedKeys()].map(([group, keys]) =>
    [`## ${group}`, '', '| Setting | Default |', '|---|---|', ...keys.map(rowOf), ''].join('\n'),
  );
  return `${introduction}\n${sections.join('\n')}`;
}

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

function rowOf(key: SettingKey): string {
  const { aliases } = settingOf(key);
  const also = aliases.map((name) => `, or \`${name}\``).join('');
  return `| \`${key}\`${also} | ${fallbackText(key)} |`;
}

function exampleOf(key: SettingKey): string {
  const { type, fallback, secret, about } = settingOf(key);
  const text = `${about} Accepts ${type.accepts}.${secret ? ' Secret: never shown.' : ''}`;
  const value = fallback === null || fallback === undefined ? '…' : JSON.stringify(fallback);
  return [...wrapped(text).map((line) => `# ${line}`), `#${key}: ${value}`, ''].join('\n');
}

function wrapped(text: string): readonly string[] {
  return text.match(/\S.{0,115}(?=\s|$)/g) ?? [];
}

function fallbackText(key: SettingKey): string {
  const { fallback, type } = settingOf(key);
  if (fallback === null || fallback === undefined) return 'not set';
  return Array.isArray(fallback) && fallback.length === 0 ? 'none' : `\`${type.toText(fallback)}\``;
}
