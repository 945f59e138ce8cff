import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describeWhere, newFolder, runCommand } from '@plimsoll/testing';
import { buildScripts } from './built-scripts.ts';
import { smallAptHost, writeTools } from './fake-tools.ts';
import { type Report, readReport, sectionOf, valuesOf } from './report-text.ts';
import { missingShells, shells } from './shells.ts';

const folder = newFolder('collector');
const script = path.join(folder, 'collector-apt.sh');
let toolFolders = 0;

beforeAll(() => buildScripts(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Half a second instead of the collector's minute. */
const hastyTimeout = 'shift 3; exec /usr/bin/timeout -k 1 0.5 "$@"';

function toolsWith(tools: Readonly<Record<string, string>>): string {
  const toolFolder = path.join(folder, `tools-${++toolFolders}`);
  writeTools(toolFolder, { ...smallAptHost, ...tools });
  return toolFolder;
}

describeWhere(missingShells, 'the collector in every common shell', () => {
  it('is tested in at least four', () => expect(shells.length).toBeGreaterThanOrEqual(4));
});

describe.each(shells)('the collector in $name', ({ name, command }) => {
  async function collect(
    tools: Readonly<Record<string, string>> = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<Report> {
    const { stdout, stderr, status } = await runCommand([...command, script], {
      tools: [toolsWith(tools)],
      env,
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return readReport(stdout);
  }

  it('prints a complete report in which every section succeeded', async () => {
    const report = await collect();
    expect(report.heading).toMatch(/^plimsoll-report 1 apt \d+\.\d+\.\d+$/);
    expect([...report.sections.keys()][0]).toBe('observed');
    for (const name of ['os-release', 'platform', 'kernel', 'reboot', 'dpkg', 'apt-files', 'apt-sources']) {
      expect([name, sectionOf(report, name).exit]).toEqual([name, 0]);
    }
    expect(valuesOf(sectionOf(report, 'platform'), 'architecture')).toEqual(['amd64']);
    expect(sectionOf(report, 'dpkg').lines).toHaveLength(3);
  });

  it('requests the policies of installed packages, not of removed ones with remaining configuration', async () => {
    const { lines } = sectionOf(await collect(), 'apt-policy');
    expect(lines.filter((line) => /^\S/.test(line))).toEqual(['bash:', 'libc6:']);
  });

  it('reports the source packages of candidates and of packages that an upgrade would add', async () => {
    const { lines } = sectionOf(await collect(), 'apt-candidates');
    expect(lines.filter((line) => line.startsWith('Package: '))).toEqual([
      'Package: bash',
      'Package: libc6',
      'Package: linux-image-6.1.0-30-amd64',
    ]);
    expect(lines).toContain('Version: 6.1.124-1');
    expect(lines).not.toContain('Description: no');
  });

  it('reports a missing command as a failure of its section, and continues', async () => {
    const report = await collect({ 'apt-get': 'echo "apt-get: not found" >&2; exit 127' });
    expect(sectionOf(report, 'apt-upgrade')).toEqual({ lines: [], said: ['apt-get: not found'], exit: 127 });
    expect(sectionOf(report, 'apt-sources').exit).toBe(0);
  });

  it('reports the output before a failure, its error text and its exit status', async () => {
    const report = await collect({
      'apt-get': 'echo half; echo "E: broken" >&2; printf "no end" >&2; exit 100',
    });
    expect(sectionOf(report, 'apt-upgrade')).toEqual({
      lines: ['half'],
      said: ['E: broken', 'no end'],
      exit: 100,
    });
  });

  it('does not report no candidates after a failed simulation', async () => {
    const report = await collect({ 'dpkg-query': 'exit 2' });
    expect(sectionOf(report, 'dpkg').exit).toBe(2);
    expect(sectionOf(report, 'apt-policy').exit).toBe(2);
    expect(sectionOf(report, 'apt-candidates').exit).not.toBe(0);
  });

  it('ends a command that hangs and continues with the next section', async () => {
    const report = await collect({ 'apt-get': 'echo begun; sleep 600 & wait', timeout: hastyTimeout });
    expect(sectionOf(report, 'apt-upgrade')).toMatchObject({ lines: ['begun'], exit: 124 });
    expect(sectionOf(report, 'apt-upgrade').said.join()).toContain('timed out after 60 seconds: apt-get');
    expect(sectionOf(report, 'apt-sources').exit).toBe(0);
  });

  it('ends it without a timeout command as well', async () => {
    const { stdout: builtin } = await runCommand([
      ...command,
      '-c',
      'PATH=/nowhere; sleep 0 2>/dev/null && echo yes',
    ]);
    if (builtin !== '') {
      process.stderr.write(
        `NOT TESTED: the watchdog in ${name}, whose sleep is its own and cannot be hurried\n`,
      );
      return;
    }
    const report = await collect({
      'apt-get': 'exec tail -f /dev/null',
      timeout: 'exit 127',
      sleep: 'exit 0',
    });
    expect(sectionOf(report, 'apt-upgrade').exit).toBe(124);
    expect(sectionOf(report, 'apt-sources').exit).toBe(0);
  });

  it('without a timeout command, passes input to commands and keeps their exit status', async () => {
    const report = await collect({ timeout: 'exit 127', 'apt-get': 'exit 100' });
    expect(sectionOf(report, 'apt-policy').lines).toContain('libc6:');
    expect(sectionOf(report, 'apt-upgrade').exit).toBe(100);
  });

  it('replaces NUL and other control characters, and keeps bytes that are not UTF-8', async () => {
    const bytes = String.raw`a\000b\001c\033[1md\177e\tf\351g\303\244h`;
    const report = await collect({ 'apt-get': `printf '${bytes}\\n'; printf '${bytes}\\n' >&2` });
    const { lines, said } = sectionOf(report, 'apt-upgrade');
    expect(lines).toEqual(['a?b?c?[1md?e\tf\xe9g\xc3\xa4h']);
    expect(said).toEqual(lines);
  });

  it('marks output that looks like the report itself as output', async () => {
    const lines = ['@exit 0', '@dpkg', ' ii', '!no', '@done', '@end 1 1', 'exit 0'];
    const shown = lines.map((line) => `echo '${line}'; echo '${line}' >&2`).join('\n');
    const report = await collect({ 'apt-get': `${shown}\nexit 3` });
    expect(sectionOf(report, 'apt-upgrade')).toMatchObject({ lines, exit: 3 });
  });

  it('ends an unfinished last line', async () => {
    const report = await collect({ 'apt-get': 'printf "no end"' });
    expect(sectionOf(report, 'apt-upgrade').lines).toEqual(['no end']);
  });

  it('keeps the first 20 lines of an error text', async () => {
    const report = await collect({
      'apt-get': 'i=0; while [ $i -lt 500 ]; do i=$((i + 1)); echo $i >&2; done; exit 9',
    });
    const { said, exit } = sectionOf(report, 'apt-upgrade');
    expect(said).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
    expect(exit).toBe(9);
  });

  it('truncates an overlong line, and reports that the section is incomplete', async () => {
    const report = await collect({ 'apt-get': "head -c 1100000 /dev/zero | tr '\\000' x; echo; echo next" });
    const { lines, exit, said } = sectionOf(report, 'apt-upgrade');
    expect(lines.map((line) => line.length)).toEqual([1_000_000, 4]);
    expect(exit).toBe(1);
    expect(said.join()).toContain('too long');
  });

  it('stops a command that prints without end', async () => {
    const report = await collect({
      'apt-get': "yes 'Inst and so on, for ever and ever, a line of some length'",
    });
    const { lines, exit, said } = sectionOf(report, 'apt-upgrade');
    expect(lines.length).toBeLessThan(400_000);
    expect(exit).toBe(1);
    expect(said.join()).toContain('too long');
  });

  it('runs commands in the C locale, in UTC and without input, in any environment', async () => {
    // Without `collect`: a shell may warn about a missing locale.
    const { stdout } = await runCommand([...command, script], {
      tools: [toolsWith({ 'apt-get': 'echo "$LC_ALL,$LANGUAGE,$TZ,$(cat)"' })],
      env: { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8', LANGUAGE: 'de', TZ: 'Asia/Tokyo' },
      input: 'typed',
    });
    expect(sectionOf(readReport(stdout), 'apt-upgrade').lines).toEqual(['C,,UTC0,']);
  });

  it('removes users, passwords and queries from addresses', async () => {
    const address = 'https://bearer:s3cr3t@esm.ubuntu.com/apps/ubuntu?token=s3cr3t/x main';
    const report = await collect({ 'apt-get': `echo 'deb ${address}'; echo 'E: ${address}' >&2` });
    const { lines, said } = sectionOf(report, 'apt-upgrade');
    expect(lines).toEqual(['deb https://esm.ubuntu.com/apps/ubuntu main']);
    expect(said).toEqual(['E: https://esm.ubuntu.com/apps/ubuntu main']);
  });

  it('leaves JSON with such addresses valid', async () => {
    const json = '{"a":"https://u:p@example.org/x?token=1","b":["https://example.org/?q","c"]}';
    const report = await collect({ 'apt-get': `echo '${json}'` });
    const [line = ''] = sectionOf(report, 'apt-upgrade').lines;
    expect(JSON.parse(line)).toEqual({ a: 'https://example.org/x', b: ['https://example.org/', 'c'] });
  });

  it('never marks a report as complete if it was interrupted', async () => {
    // The process that makes the sections, and all its descendants; the one that writes the end of the report
    // stays alive.
    const parents = 's/.*) [A-Z] \\([0-9]*\\) .*/\\1/';
    const killSections = `p=$PPID; while [ "$p" != "$COLLECTOR" ]; do all="$all $p"; p=$(sed '${parents}' /proc/$p/stat); done
      kill -9 $all`;
    const tools = [toolsWith({ 'apt-get': killSections })];
    const child = spawn('sh', ['-c', 'COLLECTOR=$$; export COLLECTOR; exec "$@"', 'sh', ...command, script], {
      env: { ...process.env, PATH: [...tools, process.env['PATH']].join(':') },
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    await once(child, 'close');
    expect(text).toContain('@dpkg');
    expect(() => readReport(text)).toThrow('not whole');
  });

  it('runs nothing of a truncated script', async () => {
    const lines = readFileSync(script, 'utf8').split('\n');
    for (const kept of [5, 40, 120, 250, lines.length - 2]) {
      const { stdout } = await runCommand([...command, '-s'], {
        input: `${lines.slice(0, kept).join('\n')}\n`,
      });
      expect(stdout).toBe('');
    }
  });

  it('runs from standard input, as in a pull over SSH', async () => {
    const input = readFileSync(script, 'utf8');
    const { stdout } = await runCommand([...command, '-s'], { tools: [toolsWith({})], input });
    expect(readReport(stdout).sections.get('dpkg')?.exit).toBe(0);
  });

  it('reports what it can without a folder for temporary files', async () => {
    const { stdout, stderr } = await runCommand([...command, script], {
      tools: [toolsWith({})],
      env: { TMPDIR: '/nowhere' },
    });
    expect(stderr).toContain('/nowhere');
    const report = readReport(stdout);
    expect(sectionOf(report, 'dpkg').exit).toBe(0);
    for (const name of ['apt-policy', 'apt-upgrade', 'apt-candidates', 'deleted-files']) {
      expect([name, sectionOf(report, name).exit === 0]).toEqual([name, false]);
    }
  });

  it('leaves no temporary file', async () => {
    const temporary = newFolder('tmp');
    await collect({}, { TMPDIR: temporary });
    const { stdout } = await runCommand(['find', temporary]);
    expect(stdout).toBe(`${temporary}\n`);
    rmSync(temporary, { recursive: true });
  });
});
