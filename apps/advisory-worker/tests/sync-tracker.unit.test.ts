import { SyncTracker } from '../src/feeds/progress/sync-tracker.ts';

describe('the progress of a sync', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('counts files, bytes with what is there already, and records', () => {
    const tracker = new SyncTracker();
    expect(tracker.progress()).toMatchObject({ stage: 'listing', filesDone: 0, filesTotal: null });
    tracker.enter('downloading');
    tracker.expectFiles(2);
    tracker.beginDownload(0, 100);
    tracker.received(100);
    tracker.endDownload();
    tracker.fileDone();
    tracker.beginDownload(40, 80);
    tracker.received(10);
    expect(tracker.progress()).toEqual({
      stage: 'downloading',
      filesDone: 1,
      filesTotal: 2,
      bytes: 150,
      bytesExpected: 180,
      records: 0,
    });
    tracker.read(7);
    expect(tracker.progress()).toMatchObject({ records: 7 });
  });

  it('counts a download that is begun again once', () => {
    const tracker = new SyncTracker();
    tracker.beginDownload(0, 100);
    tracker.received(60);
    tracker.beginDownload(0, 90);
    tracker.received(90);
    tracker.endDownload();
    expect(tracker.progress()).toMatchObject({ bytes: 90, bytesExpected: 90 });
  });

  it('knows no expected size after a server that told none', () => {
    const tracker = new SyncTracker();
    tracker.beginDownload(0, null);
    tracker.received(60);
    tracker.endDownload();
    tracker.beginDownload(0, 100);
    expect(tracker.progress()).toMatchObject({ bytes: 60, bytesExpected: null });
  });

  it('is stalled by a few bytes a minute, and not by many, a file, records or a stage', () => {
    const tracker = new SyncTracker();
    const after = (change: () => void): number => {
      jest.advanceTimersByTime(60_000);
      change();
      return Math.round(tracker.stalledMs());
    };
    tracker.beginDownload(0, null);
    expect(after(() => tracker.received(1))).toBe(60_000);
    expect(after(() => tracker.received(1_000))).toBe(120_000);
    expect(Math.round(tracker.idleMs())).toBe(0);
    expect(after(() => tracker.received(1024 * 1024))).toBe(0);
    expect(after(() => tracker.fileDone())).toBe(0);
    expect(after(() => tracker.enter('reading'))).toBe(0);
    expect(after(() => tracker.enter('reading'))).toBe(60_000);
    expect(after(() => tracker.read(1))).toBe(0);
    expect(after(() => tracker.read(1))).toBe(60_000);
  });
});
