import { shellWord } from '@plimsoll/advisories';
import { hostCount } from '@plimsoll/model';
import { evidenceReason, evidenceVariable, evidenceWords } from './evidence-words.ts';
import type { RecognisedPlan } from './plan-content.ts';
import type { PlanEntry } from './plan-host.ts';
import type { CheckedIdentity } from './plan-identities.ts';

/**
 * A plan as a script for a POSIX shell. Each host has a section that runs only on the machine with its machine id and
 * name; on all other machines the script ends with status 3 and changes nothing. Texts of hosts are quoted. Hosts that
 * cannot be recognised have no section, and the script says how many and why.
 */
export function* planScript({ entries, identities, madeAt, options }: RecognisedPlan): Iterable<string> {
  yield head(madeAt, entries.length);
  let leftOut = 0;
  for (const entry of entries) {
    const identity = identities.get(entry.host.host_id);
    const title = `${entry.host.display_name} (${entry.host.host_id})`;
    if (identity !== undefined && !('code' in identity)) {
      yield section(entry, identity, { title, reboot: options.reboot });
      continue;
    }
    leftOut += 1;
    yield `# Not covered: ${printable(title)}: ${identity?.detail ?? ''}\n\n`;
  }
  const others = leftOut === 0 ? '' : `, or is one of its hosts that are not covered (${leftOut})`;
  yield `say ${shellWord(`This machine is not in the plan${others}: nothing was changed.`)} >&2\nexit 3\n`;
}

function head(madeAt: Date, hosts: number): string {
  return `#!/bin/sh
# A plan of Plimsoll for ${hostCount(hosts)}, made ${madeAt.toISOString()}.
# Copy it to these hosts and run it as root. It changes only a host of the plan, which it recognises by its machine id
# and its name. Exit status: 0 done, 1 failed, 2 not root, 3 not in the plan, 4 nothing could be planned, 5 evidence
# is to be taken first.
set -u
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
say() { printf '%s\\n' "$1"; }
failed() { say 'The upgrade failed: nothing else is done.' >&2; exit 1; }
machine=$(cat /etc/machine-id 2>/dev/null || cat /var/lib/dbus/machine-id 2>/dev/null || :)
name=$(uname -n)

`;
}

function section(
  { host, forensicsFirst }: PlanEntry,
  identity: CheckedIdentity,
  { title, reboot }: { readonly title: string; readonly reboot: boolean },
): string {
  const lines = [`say ${shellWord(printable(title))}`];
  for (const { detail } of host.notes) lines.push(`say ${shellWord(detail)}`);
  if (forensicsFirst.length > 0)
    for (const words of [evidenceReason(forensicsFirst), evidenceWords])
      lines.push(`say ${shellWord(printable(words))} >&2`);
  if (host.state === 'not_plannable') lines.push("say 'Nothing could be planned.' >&2", 'exit 4');
  else {
    const mayReboot = reboot && host.reboot.state === 'needed';
    if (host.command !== null || mayReboot)
      lines.push(...(forensicsFirst.length > 0 ? [evidenceTaken] : []), asRoot);
    if (host.command !== null) lines.push(`{ ${host.command}; } || failed`);
    else lines.push("say 'There is nothing to upgrade.'");
    if (mayReboot) lines.push("say 'Rebooting in one minute.'", 'shutdown -r +1 || failed');
    else if (host.reboot.state === 'needed') lines.push("say 'A reboot is due; this plan does not reboot.'");
    lines.push('exit 0');
  }
  return `# ${printable(title)}\nif ${condition(identity)}; then\n${lines.map((line) => `  ${line}\n`).join('')}fi\n\n`;
}

const evidenceTaken = `[ "\${${evidenceVariable}:-}" = 1 ] || { say 'Nothing was changed. Run this with ${evidenceVariable}=1 when the evidence of this host is taken.' >&2; exit 5; }`;

const asRoot = `[ "$(id -u)" = 0 ] || { say 'Run this as root.' >&2; exit 2; }`;

function condition({ machineId, nodeName }: CheckedIdentity): string {
  const isMachine = `[ "$machine" = ${shellWord(machineId)} ]`;
  return nodeName === '' ? isMachine : `${isMachine} && [ "$name" = ${shellWord(nodeName)} ]`;
}

/** A text of a host without characters that end a line or are not shown. */
function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}
