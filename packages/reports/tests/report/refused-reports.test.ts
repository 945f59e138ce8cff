import { gzipSync } from 'node:zlib';
import { parseReport, reportLimits } from '../../src/index.ts';
import { recorded } from './recorded.ts';
import {
  buildReport,
  debian,
  debianSnapshot,
  errorsOf,
  failuresOf,
  parseDebian,
  receivedAt,
  type Sections,
  snapshotOf,
} from './report-builder.ts';

const whole = buildReport('apt', debian);

function parse(report: Uint8Array | string) {
  return parseReport(report, { receivedAt });
}

/** The report with a recomputed last line. */
function recount(report: string): string {
  const lines = report.trimEnd().split('\n').slice(0, -1);
  const sections = lines.filter((line) => /^@(?!exit )/.test(line)).length;
  return [...lines, `@end ${sections} ${lines.length}`, ''].join('\n');
}

describe('a truncated report', () => {
  it.each(['reports/debian-12.txt', 'reports/almalinux-8.txt'])('%s is refused at every line', (file) => {
    const report = recorded(file);
    for (let end = report.indexOf('\n'); end < report.length - 1; end = report.indexOf('\n', end + 1)) {
      const errors = errorsOf(parse(report.slice(0, end + 1)));
      const last = report.slice(0, end).split('\n').length;
      expect(errors).toEqual([expect.stringMatching(new RegExp(`^line ${last}: the report is cut off`))]);
    }
  });

  it('is refused at every character', () => {
    for (let end = 0; end < whole.length - 1; end++)
      expect(parse(whole.slice(0, end)).kind).toBe('report_invalid');
  });

  it('is refused with its last section and the line where that begins', () => {
    const cut = whole.slice(0, whole.indexOf('@exit', whole.indexOf('@dpkg')));
    expect(errorsOf(parse(cut))).toEqual([
      expect.stringMatching(/^line \d+: .* inside the section dpkg \(line \d+\): "@end" is missing$/),
    ]);
  });

  it('is refused if a line is missing or repeated', () => {
    const lines = whole.split('\n');
    for (const at of [12, 20, 30]) {
      expect(errorsOf(parse(lines.toSpliced(at, 1).join('\n'))).join()).toMatch(/missing|no "@exit"/);
      expect(errorsOf(parse(lines.toSpliced(at, 0, lines[at] ?? '').join('\n'))).length).toBeGreaterThan(0);
    }
  });
});

describe('text that is not a report', () => {
  it.each<[string, Uint8Array | string, RegExp]>([
    ['nothing', '', /is empty/],
    ['blank lines', '\n \r\n\t\n', /is empty/],
    ['a web page', '<!DOCTYPE html>\n<title>502 Bad Gateway</title>', /web page/],
    ['the collector itself', '#!/bin/sh\n# Plimsoll collector', /script/],
    ['JSON', '{"packages":[]}', /JSON/],
    ['gzip', gzipSync(whole), /compressed/],
    ['UTF-16', Buffer.from(`\ufeff${whole}`, 'utf16le'), /UTF-16/],
    ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0]), /not text/],
    ["another tool's text", 'Listing...\nbash/stable 5.2 amd64\n', /not a report/],
    ['a prompt before the report', `root@web-1:~# sh collector-apt.sh\n${whole}`, /begins at line 2/],
  ])('%s is refused, and the error names what it is', (_what, report, detail) => {
    expect(errorsOf(parse(report))).toEqual([expect.stringMatching(detail)]);
  });

  it.each([
    ['plimsoll-report 2 apt 1.0.0', /newer than this service/],
    ['plimsoll-report 0 apt 1.0.0', /no format 0/],
    ['plimsoll-report 1 pacman 1.0.0', /neither "apt" nor "rpm"/],
    ['plimsoll-report 1 apt', /should read/],
    ['plimsoll-report', /should read/],
  ])('a first line %j is refused', (line, detail) => {
    expect(errorsOf(parse(whole.replace(/.*/, line)))).toEqual([expect.stringMatching(detail)]);
  });
});

describe('a corrupted report', () => {
  it('of two pasted one after the other is refused at the second', () => {
    const second = whole.split('\n').length;
    expect(errorsOf(parse(whole + whole))).toEqual([
      `line ${second}: a second report begins here; send them one by one`,
    ]);
  });

  it('of two, the first truncated, is refused at the second', () => {
    const first = whole.slice(0, whole.indexOf('@dpkg'));
    expect(errorsOf(parse(first + whole))[0]).toMatch(
      /a second report begins here, and the first one has no end/,
    );
  });

  it('with text after its end is refused at that line', () => {
    expect(errorsOf(parse(`${whole}\nroot@web-1:~# `))).toEqual([expect.stringMatching(/is after the end/)]);
  });

  it('with a repeated section is refused with both lines', () => {
    const twice = recount(`${whole.slice(0, whole.indexOf('@end'))}@dpkg\n@exit 0\n@end 0 0\n`);
    expect(errorsOf(parse(twice))).toEqual([
      expect.stringMatching(/the section dpkg came at line \d+ already/),
    ]);
  });

  it("with a section of the other family's is refused", () => {
    expect(errorsOf(parseDebian({ rpm: '' }))).toEqual([
      expect.stringMatching(/the section rpm does not belong to a report of apt/),
    ]);
  });

  it('of a family other than its distribution’s is refused', () => {
    expect(errorsOf(parseDebian({ 'os-release': 'ID=fedora\nVERSION_ID=42' }))).toEqual([
      expect.stringMatching(/fedora/),
    ]);
  });

  it('with text outside its sections is refused at that line', () => {
    const lines = whole.split('\n');
    const at = lines.indexOf('@dpkg');
    const outside = recount(lines.toSpliced(at, 0, ' ii \tbash').join('\n'));
    expect(errorsOf(parse(outside))).toEqual([`line ${at + 1}: is outside all sections`]);
    const raw = recount(lines.toSpliced(at + 1, 0, 'ii \tbash').join('\n'));
    expect(errorsOf(parse(raw))).toEqual([`line ${at + 2}: begins with neither a space, "!" nor "@"`]);
  });

  it('with its observed section after others is refused, because the hash would cover it', () => {
    const { observed, ...others } = debian;
    expect(errorsOf(parse(buildReport('apt', { ...others, observed: observed ?? '' })))).toEqual([
      expect.stringMatching(/does not stand first/),
    ]);
  });
});

describe('a report without data that every host has', () => {
  it.each([
    [{ dpkg: null }, 'the report has no section dpkg'],
    [{ dpkg: '' }, 'packages contains no package'],
    [{ dpkg: 'rc \tbash\tamd64\t5.2\tbash\t5.2' }, 'packages contains no package'],
  ])('%j is refused', (changes, detail) => {
    expect(errorsOf(parseDebian(changes))[0]).toContain(detail);
  });

  it.each([
    ['ii bash amd64', 'has 1 columns between tabs, a package of dpkg has 6'],
    ['xx \ta\tb\tc\td\te', 'does not begin with a status of dpkg'],
    ['ii \tba sh\tamd64\t1\tbash\t1', 'name contains white space or control characters'],
    ['ii \ttar\tamd64\t1\u0007\ttar\t1', 'version contains control characters'],
    ['iHR\tlibossp-uuid16\tamd64\t\tlibossp-uuid16\t', 'version is empty'],
    ['ii \tt\ufffdr\tamd64\t1\ttar\t1', 'contains bytes that are not UTF-8'],
  ])('is accepted without an odd row, which is noted: %j', (row, detail) => {
    const parsed = parseDebian({ dpkg: `ii \tbash\tamd64\t5.2\tbash\t5.2\n${row}` });
    const snapshot = snapshotOf(parsed);
    expect(snapshot.packages.map(({ name }) => name)).toEqual(['bash']);
    const warning = expect.stringMatching(new RegExp(`^${detail}; left out$`));
    expect(parsed.kind === 'snapshot' && parsed.warnings).toEqual([
      { pointer: expect.stringMatching(/^line \d+$/), detail: warning },
    ]);
    expect(failuresOf(snapshot)).toEqual([
      expect.stringMatching(new RegExp(`^packages: dpkg: line \\d+ ${detail}; rows like it were left out$`)),
    ]);
  });

  it.each([
    [{ 'os-release': null }, 'linux', ''],
    [{ 'os-release': 'ID=debian?\nVERSION_ID="12"?' }, 'debian', '12'],
    [{ 'os-release': { exit: 1, said: 'cat: /usr/lib/os-release: No such file or directory' } }, 'linux', ''],
    [{ 'os-release': null, platform: 'debian_version\t12.11' }, 'debian', '12'],
    [{ 'os-release': 'NAME=x\nDISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=8.04' }, 'ubuntu', '8.04'],
    [{ 'os-release': 'RELEASE_TEXT="CentOS release 6.10 (Final)"' }, 'centos', '6.10'],
    [
      { 'os-release': 'RELEASE_TEXT="Red Hat Enterprise Linux Server release 5.11 (Tikanga)"' },
      'rhel',
      '5.11',
    ],
    [
      { 'os-release': 'RELEASE_TEXT="SUSE Linux Enterprise Server 11 (x86_64)"\nPATCHLEVEL=4' },
      'sles',
      '11.4',
    ],
    [{ 'os-release': 'RELEASE_TEXT="openSUSE 13.1 (x86_64)"' }, 'opensuse', '13.1'],
    [{ 'os-release': 'ID="My Linux"\nVERSION_ID=3' }, 'my-linux', '3'],
  ])('is accepted without a usable os-release: %j is %s %s', (changes: Sections, osId, osVersionId) => {
    const withoutDebian: Sections = { platform: 'hostname\tweb-1', ...changes };
    expect(debianSnapshot(withoutDebian).platform).toMatchObject({ osFamily: 'apt', osId, osVersionId });
  });

  it('is refused with the line of a time in the future', () => {
    const observed = `boot_id\tx\ncollected_at\t${receivedAt.getTime() / 1000 + 86_401}`;
    expect(errorsOf(parseDebian({ observed }))).toEqual([
      "line 4: collected_at is more than 24 hours ahead of the server's clock",
    ]);
  });

  it('is refused with at most a hundred errors', () => {
    expect(errorsOf(parse(`${whole.split('\n', 1)[0]}\n${'none\n'.repeat(500)}`))).toHaveLength(100);
  });
});

describe('a change by editors or transports', () => {
  const expected = debianSnapshot();

  it.each<[string, Uint8Array | string]>([
    ['Windows line ends', whole.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${whole}`],
    ['both, as bytes', Buffer.from(`\ufeff${whole.replaceAll('\n', '\r\n')}`)],
    ['no line end at its end', whole.trimEnd()],
    ['empty lines behind it', `${whole}\n \r\n\n`],
    ['spaces at the ends of lines taken away', whole.replace(/ +$/gm, '')],
  ])('%s changes nothing', (_what, report) => {
    expect(snapshotOf(parse(report))).toEqual(expected);
  });

  it('NUL and invalid UTF-8 are removed from displayed text, and refused in matched text', () => {
    const bytes = Buffer.from(whole.replace('web-1', 'w\0b'));
    bytes[bytes.indexOf('w\0b')] = 0xfc;
    expect(snapshotOf(parse(bytes)).platform.hostname).toBe('\ufffd b');
    const name = Buffer.from(whole);
    name[name.indexOf('\tbash\t') + 1] = 0xe4;
    expect(failuresOf(snapshotOf(parse(name)))).toEqual([expect.stringMatching(/^packages: .* not UTF-8/)]);
  });
});

describe('the limits of a report', () => {
  it('apply to its bytes', () => {
    const huge = Buffer.alloc(reportLimits.bytes + 1, 0x20);
    expect(errorsOf(parse(huge))).toEqual(['line 1: the report is larger than 32 MiB']);
  });

  it('apply to its lines', () => {
    const huge = `${whole.split('\n', 1)[0]}\n@x\n${' \n'.repeat(reportLimits.lines)}`;
    expect(errorsOf(parse(huge))).toEqual([`line 600001: is beyond the 600000 lines a report may have`]);
  });

  it('apply to the length of a line', () => {
    const long = whole.replace('web-1', 'w'.repeat(reportLimits.lineLength));
    expect(errorsOf(parse(long))).toEqual([
      expect.stringMatching(/^line \d+: is longer than 1048576 characters/),
    ]);
  });

  it('apply to its sections', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, '']));
    expect(errorsOf(parseDebian(many))).toEqual([expect.stringMatching(/beyond the 64 sections/)]);
  });

  it('apply to its packages', () => {
    const dpkg = Array.from({ length: 50_001 }, (_, index) => `ii \tp${index}\tamd64\t1\tp\t1`).join('\n');
    expect(errorsOf(parseDebian({ dpkg }))).toEqual([
      expect.stringMatching(/packages has 50001 entries; at most 50000 are accepted/),
    ]);
  });
});

describe('a newer collector', () => {
  it('may send unknown sections, which are skipped with a note', () => {
    const parsed = parseDebian({ 'next-thing': 'what it says', constructor: 'x' });
    expect(snapshotOf(parsed)).toEqual(debianSnapshot());
    expect(parsed.kind === 'snapshot' && parsed.warnings.map(({ detail }) => detail)).toEqual([
      'the section next-thing is unknown; skipped',
      'the section constructor is unknown; skipped',
    ]);
  });
});
