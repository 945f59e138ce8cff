import type { NewHostRow, ReadHosts } from './new-hosts.ts';

interface Directive {
  readonly line: number;
  /** Lower case. */
  readonly keyword: string;
  readonly values: readonly string[];
}

/** A block of the file; `patterns` null: it depends on more than the host's name. */
interface Block {
  readonly line: number;
  readonly patterns: readonly string[] | null;
  readonly directives: Directive[];
}

/** What pulls do not do; a host that asks for it is probably not reached. */
const notHonoured: Readonly<Record<string, string>> = {
  proxyjump: 'ProxyJump: the ssh-worker connects directly; it must reach the host by itself.',
  proxycommand: 'ProxyCommand: the ssh-worker connects directly; it must reach the host by itself.',
  identityfile: 'IdentityFile: pulls use the key that is shown after this step.',
  certificatefile: 'CertificateFile: pulls use the key that is shown after this step.',
  hostkeyalias: 'HostKeyAlias: the host key is pinned for this host alone.',
  addressfamily: 'AddressFamily: the address that the name resolves to is used.',
  bindaddress: 'BindAddress: the ssh-worker chooses the address.',
  canonicalizehostname: 'CanonicalizeHostname: names are used as they are.',
};

/** The words after a keyword; quotes keep spaces (ssh_config(5)). */
function wordsOf(text: string): string[] {
  const words = text.match(/"[^"]*"|[^\s"]+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ''));
}

function directiveOf(text: string, line: number): Directive | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return null;
  const keyword = /^[A-Za-z]+/.exec(trimmed)?.[0] ?? '';
  const rest = trimmed.slice(keyword.length).replace(/^\s*=?\s*/, '');
  return { line, keyword: keyword.toLowerCase(), values: wordsOf(rest) };
}

function matches(pattern: string, name: string): boolean {
  // Compares piece by piece: linear, whatever the pattern.
  const parts = pattern.toLowerCase().split('*');
  const text = name.toLowerCase();
  const same = (part: string, at: number) =>
    [...part].every((letter, n) => at + n < text.length && (letter === '?' || letter === text[at + n]));
  const [head = '', ...rest] = parts;
  if (!same(head, 0)) return false;
  if (rest.length === 0) return head.length === text.length;
  const tail = rest.pop() ?? '';
  let at = head.length;
  for (const part of rest) {
    while (at + part.length <= text.length && !same(part, at)) at += 1;
    if (at + part.length > text.length) return false;
    at += part.length;
  }
  return text.length - tail.length >= at && same(tail, text.length - tail.length);
}

function appliesTo({ patterns }: Block, name: string): boolean {
  if (patterns === null) return false;
  if (patterns.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1), name))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern, name));
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [{ line: 1, patterns: ['*'], directives: [] }];
  for (const [n, each] of text.split(/\r?\n/).entries()) {
    const directive = directiveOf(each, n + 1);
    if (directive === null) continue;
    const { line, keyword, values } = directive;
    if (keyword === 'host') blocks.push({ line, patterns: values, directives: [] });
    else if (keyword === 'match')
      blocks.push({
        line,
        patterns: values.join(' ').toLowerCase() === 'all' ? ['*'] : null,
        directives: [],
      });
    else blocks.at(-1)?.directives.push(directive);
  }
  return blocks;
}

/**
 * The hosts of an ssh_config(5): each name of a Host line without a wildcard. As in ssh, the first value of a keyword in
 * the blocks that apply counts. Nothing of the file is executed or opened; what pulls do not honour is said per host.
 */
export function hostsOfSshConfig(text: string): ReadHosts {
  const blocks = blocksOf(text);
  const named = new Map<string, number>();
  for (const { patterns, line } of blocks)
    for (const name of patterns ?? []) if (!/[*?!]/.test(name) && !named.has(name)) named.set(name, line);
  const all = blocks.flatMap(({ directives }) => directives);
  const matched = blocks.filter(({ patterns }) => patterns === null);
  const faults = [
    ...all
      .filter(({ keyword }) => keyword === 'include')
      .map(({ line }) => `Line ${line}: Include is not read.`),
    ...matched.map(({ line }) => `Line ${line}: Match with conditions is not read.`),
    ...(named.size === 0 ? ['The file has no Host line with a name.'] : []),
  ];
  return { rows: [...named].map(([name, line]) => rowOf(name, line, blocks)), faults };
}

function rowOf(name: string, line: number, blocks: readonly Block[]): NewHostRow {
  const directives = blocks.filter((block) => appliesTo(block, name)).flatMap((block) => block.directives);
  const first = (keyword: string) => directives.find((each) => each.keyword === keyword)?.values[0] ?? '';
  const hostname = (first('hostname') || name).replaceAll('%h', name).replaceAll('%%', '%');
  const isAsked = (keyword: string) => {
    const value = first(keyword);
    return value !== '' && value.toLowerCase() !== 'none' && value.toLowerCase() !== 'no';
  };
  return {
    line,
    display_name: name,
    hostname,
    ssh_user: first('user'),
    port: first('port'),
    tags: [],
    host_key_fingerprint: '',
    faults: hostname.includes('%') ? [`HostName has a token that is not known: ${hostname}`] : [],
    notes: Object.entries(notHonoured).flatMap(([keyword, note]) => (isAsked(keyword) ? [note] : [])),
  };
}
