import { environmentName, type SettingKey, settingKeys, settingOf } from './settings.ts';

const introduction = `# Configuration

Written from the schema in packages/config by \`npm run docs:configuration -w @plimsoll/config\`; edit the schema, not
this page.

Every setting has a dotted key. Nothing has to be set: \`npm start\` works without a file.

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
  const groups = new Map<string, SettingKey[]>();
  for (const key of settingKeys) {
    const group = key.includes('.') ? key.slice(0, key.indexOf('.')) : 'general';
    groups.set(group, [...(groups.get(group) ?? []), key]);
  }
  const sections = [...groups].map(
    ([group, keys]) => `## ${group}\n\n${keys.map(describeSetting).join('\n')}`,
  );
  return `${introduction}\n${sections.join('\n')}`;
}

function describeSetting(key: SettingKey): string {
  const { type, aliases, secret, about } = settingOf(key);
  const names = [environmentName(key), ...aliases].map((name) => `\`${name}\``).join(', ');
  return [
    `### \`${key}\``,
    '',
    `${about}${secret ? ' Secret: never shown.' : ''}`,
    '',
    `- Accepts: ${type.accepts}`,
    `- Default: ${fallbackText(key)}`,
    `- Environment: ${names}`,
    '',
  ].join('\n');
}

function fallbackText(key: SettingKey): string {
  const { fallback, type } = settingOf(key);
  if (fallback === null || fallback === undefined) return 'not set';
  return Array.isArray(fallback) && fallback.length === 0 ? 'none' : `\`${type.toText(fallback)}\``;
}
