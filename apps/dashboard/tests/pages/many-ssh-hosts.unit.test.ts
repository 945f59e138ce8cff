import { csvRecords } from '../../src/pages/add-hosts/ssh/many/csv-lines.ts';
import { hostsOfCsv } from '../../src/pages/add-hosts/ssh/many/hosts-of-csv.ts';
import { hostsOfSshConfig } from '../../src/pages/add-hosts/ssh/many/hosts-of-ssh-config.ts';
import { requestOf } from '../../src/pages/add-hosts/ssh/many/new-hosts.ts';

const defaults = { ssh_user: 'plimsoll-pull', tags: ['new'], frequency_minutes: 60, exposure: null };

describe('a table of hosts', () => {
  it('keeps separators, quotes and line ends inside quoted cells', () => {
    const { records, faults } = csvRecords('\ufeffa,b\r\n"1,5","say ""x""\nnow"\n\n 2 , 3 \n');
    expect([records, faults]).toEqual([
      [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1,5', 'say "x"\nnow'] },
        { line: 5, cells: ['2', '3'] },
      ],
      [],
    ]);
  });

  it('names columns in its first line, with the words that spreadsheets use', () => {
    const { rows, faults } = hostsOfCsv(
      'Name;IP;Port;Tags;Rack\nWeb 1;192.0.2.1;2222;web|db;7\n;web-2.example.org;;;\n',
    );
    expect(faults).toEqual(['Columns that are not read: Rack.']);
    expect(rows.map((row) => requestOf(row, defaults))).toEqual([
      {
        display_name: 'Web 1',
        hostname: '192.0.2.1',
        ssh_user: 'plimsoll-pull',
        port: 2222,
        tags: ['web', 'db', 'new'],
        frequency_minutes: 60,
        exposure: null,
      },
      {
        display_name: 'web-2.example.org',
        hostname: 'web-2.example.org',
        ssh_user: 'plimsoll-pull',
        port: 22,
        tags: ['new'],
        frequency_minutes: 60,
        exposure: null,
      },
    ]);
  });

  it('may be a plain list of names', () => {
    expect(hostsOfCsv('a.example.org\nb.example.org').rows.map(({ hostname }) => hostname)).toEqual([
      'a.example.org',
      'b.example.org',
    ]);
  });

  it.each([
    ['', 'The file has no host.'],
    ['a,b\n1,2', 'The first line must name the columns; one of them must be "hostname".'],
    ['hostname\n"a', 'Line 2: A quoted cell is not closed.'],
  ])('%j: says what is wrong', (text, fault) => {
    expect(hostsOfCsv(text).faults).toEqual([fault]);
  });
});

describe('an ssh_config', () => {
  const text = `
User everybody
Host web-1 web-2
  HostName %h.example.org
  Port = 2222
Host db "*.internal" !db.internal
  HostName 192.0.2.7
  ProxyJump bastion
  IdentityFile ~/.ssh/id_ed25519
Host *
  User nobody
  ProxyCommand none
Match host web-1 exec "touch /tmp/x"
  Port 1
Include other`;

  it('has a host for each name without a wildcard, with the first value of each keyword', () => {
    const { rows } = hostsOfSshConfig(text);
    expect(
      rows.map(({ display_name, hostname, ssh_user, port }) => [display_name, hostname, ssh_user, port]),
    ).toEqual([
      ['web-1', 'web-1.example.org', 'everybody', '2222'],
      ['web-2', 'web-2.example.org', 'everybody', '2222'],
      ['db', '192.0.2.7', 'everybody', ''],
    ]);
  });

  it('says per host what pulls do not honour, and what of the file is not read', () => {
    const { rows, faults } = hostsOfSshConfig(text);
    expect(rows.map(({ notes }) => notes.map((note) => note.split(':')[0]))).toEqual([
      [],
      [],
      ['ProxyJump', 'IdentityFile'],
    ]);
    expect(faults).toEqual(['Line 15: Include is not read.', 'Line 13: Match with conditions is not read.']);
  });

  it('takes time in proportion to a hostile pattern', () => {
    const pattern = '*a'.repeat(2_000);
    const before = process.cpuUsage();
    hostsOfSshConfig(`Host ${pattern}b\nHost ${'a'.repeat(5_000)}\n`);
    // Trying every position of each star never ends.
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });
});
