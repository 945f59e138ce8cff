import type { ReportSection } from './report-section.ts';

/** What plugins of dnf and yum say beside a complete answer, in its output or as errors, each with its source. */
const notices: readonly RegExp[] = [
  // rhnplugin, and the like of Oracle and CloudLinux.
  /^This system is receiving updates from [^.]*\.$/,
  // katello-host-tools.
  /^(?:Uploading Enabled Repositories Report|Cannot upload enabled repos report, is this client registered\?)$/,
  // system-release of Amazon Linux, about versions that the host does not follow.
  /^(?:WARNING:|A newer release of "Amazon Linux" is available\.|Available Versions:|Release notes:|={2,})$/,
  /^(?:Version 20[\d.]+:|Run the following command to (?:upgrade|update) to 20[\d.]+:|dnf (?:upgrade|update) --releasever=20[\d.]+)$/,
  /^https:\/\/(?:docs\.)?aws\.amazon\.com(?:\/\S*)?$/,
];

/** Whether a line is what a plugin says beside an answer. */
export function isNotice(line: string): boolean {
  const words = line.trim();
  return words.length <= longestWords && notices.some((form) => form.test(words));
}

/**
 * Error output after which an answer is still complete, each with its source. Every other line means that something may
 * be missing from the answer.
 */
const harmless: readonly RegExp[] = [
  ...notices,
  // apt, cmdline/apt.cc: for scripts that call apt.
  /^WARNING: apt does not have a stable CLI interface/,
  // apt, apt-pkg/sourcelist.cc and contrib/fileutl.cc: files that are no configuration by their name.
  apt('Ignoring (?:file|directory) '),
  // apt, apt-pkg/deb/debmetaindex.cc and sourcelist.cc: about sources whose lists are read.
  apt('(?:Target \\S+ .* is configured multiple times|Missing Signed-By in )'),
  // apt, apt-pkg/cachefile.cc, contrib/fileutl.cc: without root it locks nothing and writes no cache.
  apt('(?:Not using locking for |Problem unlinking the file )'),
  // The same of apt before 1.1, and what it advises after any warning.
  apt('(?:Duplicate sources\\.list entry |You may want to run apt-get update to correct these problems)'),
  // apt-private/private-install.cc: the report has these facts.
  apt('(?:Some packages may have been kept back due to phasing|There (?:is|are) \\d+ additional )'),
  // dpkg, lib/dpkg/parse.c and db-fsys-files.c: fields and lists that no version depends on.
  /^dpkg-query: warning: parsing file '.*' near line \d+(?: package '.*')?:$/,
  /^missing '?(?:description|maintainer|architecture)'?(?: field)?$/i,
  /^dpkg-query: warning: files list file for package '.*' missing/,
  // rpm, lib/rpmdb.c and lib/backend/: another form of the database, its indexes and its lock.
  /^warning: (?:Found \S+ \S+ database while attempting |Generating \d+ missing index|waiting for \S+ lock on )/,
  // Berkeley DB, env/env_failchk.c: the lock of a process that ended.
  /^(?:warning: )?rpmdb: BDB2053 Freeing read locks /,
  // dnf, dnf/i18n.py.
  /^Failed to set locale, defaulting to /,
  // dnf, yum and zypper: what they do, the age of a cache, and what is installed.
  /^(?:Updating and loading repositories:|Repositories loaded\.|Loading repository data\.\.\.|Reading installed packages\.\.\.)$/,
  /^(?:Loaded plugins: .*|Loading mirror speeds from cached hostfile|Determining fastest mirrors)$/,
  /^(?:Last metadata expiration check: .*|Repodata is over \d+ weeks old\..*)$/,
  /^(?:Repository \S+ is listed more than once in the configuration|Delta RPMs disabled because \S+ not installed\.)$/,
  // What locks and priorities withhold are facts of the report.
  /^(?:Excluding \d+ updates? due to versionlock|\d+ packages excluded due to repository priority protections)/,
  /^Security: \S+ is (?:an installed security update|the currently running version)$/,
  // subscription-manager, its plugins for dnf and yum: whether the system is registered is a section of its own.
  /^(?:Unable to read consumer identity|Updating Subscription Management repositories\.)$/,
  /^This system is not (?:yet )?registered(?: [^.]*)?\.(?: (?:You can use|Try) [^.]*\.)?$/,
  /^This system has release set to \S+ and it receives updates only for this release\.$/,
  /^(?:Not root, Subscription Management repositories not updated|Subscription Manager is operating in container mode\.)$/,
  // perl, perldiag(1), of needrestart.
  /^perl: warning: /,
];

/** A message of apt, whose level has one letter before apt 2.9. */
function apt(words: string): RegExp {
  return new RegExp(`^(?:[NW]|Notice|Warning): ${words}`);
}

/** Characters that are looked at of a line, and such lines; a host can send megabytes. */
const longestWords = 500;
const mostLines = 20;

/** The lines of a section's error output after which its answer may not be complete. */
export function incompleteWords({ said }: Pick<ReportSection, 'said'>): readonly string[] {
  const found: string[] = [];
  for (const line of said) {
    const words = line.trim().slice(0, longestWords);
    if (words !== '' && !harmless.some((form) => form.test(words))) found.push(words);
    if (found.length === mostLines) break;
  }
  return found;
}
