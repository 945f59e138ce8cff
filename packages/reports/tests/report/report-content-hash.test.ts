import { createHash } from 'node:crypto';
import { parseReport, readEnvelope, readReportObservation, reportContentHash } from '../../src/index.ts';
import { concat, delimited } from '../wire-bytes.ts';
import { recorded } from './recorded.ts';
import { buildReport, debian, errorsOf, receivedAt, snapshotOf } from './report-builder.ts';

function hash(report: Uint8Array | string): string {
  return Buffer.from(reportContentHash(Buffer.from(report))).toString('hex');
}

function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

const whole = buildReport('apt', debian);
const behindObserved = whole.slice(whole.indexOf('@exit 0\n') + '@exit 0\n'.length);

describe('the content hash of a text report', () => {
  it('is SHA-256 over every byte after the observed section', () => {
    expect(hash(whole)).toBe(sha256(behindObserved));
  });

  it('is equal for an unchanged host at another time, after another boot, with another collector', () => {
    const observed = 'collected_at\t1795190000\nbooted_at\t1795180000\nboot_id\tboot-2';
    const later = buildReport('apt', { ...debian, observed }).replace('apt 1.0.0', 'apt 1.0.1');
    expect(hash(later)).toBe(hash(whole));
  });

  it('changes with any other change', () => {
    for (let at = whole.indexOf('@os-release'); at < whole.length; at += 7) {
      expect(hash(`${whole.slice(0, at)}~${whole.slice(at + 1)}`)).not.toBe(hash(whole));
    }
  });

  it('is computed after a byte order mark and with Windows line ends', () => {
    const windows = `\ufeff${whole.replaceAll('\n', '\r\n')}`;
    expect(hash(windows)).toBe(sha256(behindObserved.replaceAll('\n', '\r\n')));
  });

  it('covers everything if the report does not begin with an observed section', () => {
    const { observed: _left, ...others } = debian;
    const reports = [
      buildReport('apt', others),
      whole.replace('@observed', '@observation'),
      whole.replace(' boot_id', 'boot_id'),
      whole.slice(0, whole.indexOf('@exit')),
      whole.slice(whole.indexOf('\n') + 1),
      `\n${whole}`,
      '<html>',
      '',
    ];
    for (const report of reports) expect(hash(report)).toBe(sha256(report));
  });

  it('is equal for a report in field 15', () => {
    const envelope = readEnvelope(concat(delimited(3, '1.0.0'), delimited(15, whole)));
    if (envelope.kind !== 'envelope') throw new Error(envelope.detail);
    expect(Buffer.from(envelope.contentHash).toString('hex')).toBe(hash(whole));
  });
});

describe('readReportObservation', () => {
  it.each(['debian-12.txt', 'almalinux-8.txt'])(
    'reads of %s the same as parseReport does, from its beginning only',
    (file) => {
      const report = recorded(`reports/${file}`);
      const context = { receivedAt: new Date('2026-11-21T00:00:00Z') };
      const { observed, collectedAt, collectorVersion, schemaVersion } = snapshotOf(
        parseReport(report, context),
      );
      const beginning = report.slice(0, report.indexOf('@os-release'));
      for (const text of [report, Buffer.from(report), beginning]) {
        expect(readReportObservation(text, context)).toEqual({
          kind: 'observed',
          family: file === 'debian-12.txt' ? 'apt' : 'rpm',
          header: { schemaVersion, collectedAt, collectorVersion },
          observation: observed,
        });
      }
    },
  );

  it('is empty for a report without that section, or with a failed one', () => {
    const nothing = { bootId: '', bootedAt: null, refreshed: [] };
    for (const observed of [null, { text: 'boot_id\tx', exit: 1 }]) {
      const report = buildReport('apt', { ...debian, observed });
      expect(readReportObservation(report, { receivedAt })).toMatchObject({ observation: nothing });
      expect(snapshotOf(parseReport(report, { receivedAt })).observed).toEqual(nothing);
    }
  });

  it.each([
    ['a web page', '<html>', /web page/],
    ['a newer format', whole.replace('report 1', 'report 2'), /newer than this service/],
    ['a clock a day ahead', whole.replace('1795180000', '1899999999'), /24 hours ahead/],
    ['nothing', '', /empty/],
  ])('refuses %s with the message of parseReport', (_what, report, detail) => {
    const observation = readReportObservation(report, { receivedAt });
    if (observation.kind !== 'report_invalid') throw new Error('was accepted');
    expect(observation.errors[0]?.detail).toMatch(detail);
    expect(errorsOf(parseReport(report, { receivedAt }))).toEqual(
      observation.errors.map(({ pointer, detail: words }) => `${pointer}: ${words}`),
    );
  });

  it('skips invalid times, as parseReport does', () => {
    const observed = 'collected_at\tnow\nbooted_at\t-5\nboot_id\tx\nrefreshed\tmain\t\nrefreshed\t\t1000';
    const parsed = parseReport(buildReport('apt', { ...debian, observed }), { receivedAt });
    expect(snapshotOf(parsed)).toMatchObject({
      collectedAt: null,
      observed: { bootId: 'x', bootedAt: null, refreshed: [] },
    });
    expect(parsed.kind === 'snapshot' && parsed.warnings.map(({ pointer }) => pointer)).toEqual([
      'line 3',
      'line 4',
      'line 6',
      'line 2',
    ]);
  });
});
