/** Domains of distributions and vendors, which say where a package comes from and nothing about the sender. */
const publicDomains =
  /(^|\.)(almalinux|amazonaws|amazonlinux|canonical|centos|debian|docker|fedoraproject|freexian|github|launchpad|launchpadcontent|microsoft|nodesource|opensuse|oracle|postgresql|proxmox|redhat|rockylinux|suse|sury|ubuntu)\.(com|org|net|io)$/;

const ipv4 = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g;
const ipv6 = /(?<![\w:.])(?=\S*::|(?:\w+:){7})[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:.])/gi;
const mac = /(?<![\w:-])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![\w:-])/gi;
/** Ids of machines, boots, disks and subscriptions. */
const id = /(?<![\w-])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi;
const mail = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** A server in an address, and in apt's "origin". */
const server = /(?:\w:\/\/(?:[^\s/@]*@)?|^ +origin )\[?([\w.:-]*\w)/gm;
/** Lines without versions of packages, which can look like addresses: facts of the host and errors of tools. */
const factsAndErrors = /^(?:!| (?:hostname|ip_address|refreshed)\t).*/gm;

/**
 * A report without what must not be sent: names of the host and of servers that are not a vendor's, addresses, mail addresses
 * and ids. Each has one replacement in the whole report, so that what was equal stays equal. Package names, versions and
 * origins stay. Lines are neither added nor removed.
 */
export function cleanReport(report: string): string {
  const replace = replacements();
  const host = /^ hostname\t(\S+)/m.exec(report)?.[1] ?? '';
  const servers = [...report.matchAll(server)].map(([, name = '']) => name.replace(/:\d*$/, ''));
  const texts = [...report.matchAll(factsAndErrors)].map(([line]) => line);
  const addresses = texts.flatMap((line) => [...(line.match(ipv4) ?? []), ...(line.match(ipv6) ?? [])]);
  const own = [
    host,
    host.split('.')[0] ?? '',
    ...servers.filter((name) => !publicDomains.test(name)),
    ...addresses,
  ];
  // The longest first: a name can be part of another one.
  const names = [...new Set(own)].filter((name) => name.length > 2).sort((a, b) => b.length - a.length);
  let text = report
    .replaceAll(mail, (found) =>
      publicDomains.test(found.split('@')[1] ?? '') ? found : replace(found, (n) => `mail-${n}@example.org`),
    )
    .replaceAll(id, (found) => replace(found, (n) => found.replaceAll(/\w/g, '0').slice(0, -2) + pair(n)))
    .replaceAll(mac, (found) => replace(found, (n) => `02:00:00:00:00:${pair(n)}`));
  for (const name of names) {
    const replacement = replace(name, (n) => replacementOf(name, n));
    const replaced = (some: string) => some.replaceAll(wholeName(name), replacement);
    // A short name can also be that of a package or system.
    text = /[.:]/.test(name) ? replaced(text) : text.replaceAll(factsAndErrors, replaced);
  }
  return text;
}

function replacementOf(name: string, n: number): string {
  if (name.includes(':')) return `2001:db8::${n}`;
  return /^[\d.]+$/.test(name) ? `192.0.2.${n % 256}` : `host-${n}.example.org`;
}

/** The name in any case, not as a part of a longer one. */
function wholeName(name: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9.:-])${name.replaceAll(/[^\w]/g, '\\$&')}(?![A-Za-z0-9-])`, 'gi');
}

/** One replacement for each text, numbered in the order of arrival. */
function replacements(): (text: string, make: (n: number) => string) => string {
  const known = new Map<string, string>();
  return (text, make) => {
    const key = text.toLowerCase();
    const found = known.get(key) ?? make(known.size + 1);
    known.set(key, found);
    return found;
  };
}

function pair(n: number): string {
  return (n % 256).toString(16).padStart(2, '0');
}
