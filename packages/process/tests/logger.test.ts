import { createLogger, type Logger } from '../src/index.ts';

/** A logger and the lines it wrote. */
function logged(
  level = 'debug',
  isOutage?: (error: Error) => boolean,
): { readonly log: Logger; lines(): Record<string, unknown>[] } {
  const written: string[] = [];
  const log = createLogger({
    app: 'report-worker',
    level,
    ...(isOutage === undefined ? {} : { isOutage }),
    stream: { write: (line) => void written.push(line) },
  });
  // the logger's own lines
  return { log, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('createLogger', () => {
  it('writes one JSON object a line, with app, level in words and time in ISO 8601', () => {
    const { log, lines } = logged();
    log.info({ feedId: 'debian' }, 'feed sync done');
    const [line] = lines();
    expect(line).toMatchObject({
      app: 'report-worker',
      pid: process.pid,
      level: 'info',
      msg: 'feed sync done',
      feedId: 'debian',
    });
    expect(new Date(String(line?.['time'])).toISOString()).toBe(line?.['time']);
  });

  it('listens to standard output once, however many loggers a process makes', () => {
    const others = process.stdout.listenerCount('error');
    for (let count = 0; count < 20; count++) createLogger({ app: 'api', level: 'error' });
    expect(process.stdout.listenerCount('error')).toBe(Math.max(1, others));
  });

  it('writes nothing below its level', () => {
    const { log, lines } = logged('warn');
    log.info('quiet');
    log.warn('loud');
    expect(lines().map((line) => line['msg'])).toEqual(['loud']);
  });

  it.each([
    ['authorization'],
    ['cookie'],
    ['password'],
    ['token'],
    ['registration_token'],
    ['host_access_token'],
    ['private_key'],
    ['jwt_secret_key'],
    ['databaseUrl'],
  ])('censors %s, three levels deep', (name) => {
    const { log, lines } = logged();
    log.info({ [name]: 's3cret', a: { [name]: 's3cret', b: { [name]: 's3cret' } } }, 'seen');
    expect(JSON.stringify(lines())).not.toContain('s3cret');
    expect(lines()[0]).toMatchObject({ [name]: '[secret]', a: { b: { [name]: '[secret]' } } });
  });

  it('censors secrets in lists and in the fields of child loggers, and leaves the logged objects as they are', () => {
    const { log, lines } = logged();
    const users = [{ password: 's3cret', name: 'ann' }];
    log
      .child({ app: 'api' })
      .child({ request: { token: 's3cret' } })
      .info({ users }, 'seen');
    expect(lines()[0]).toMatchObject({
      request: { token: '[secret]' },
      users: [{ password: '[secret]', name: 'ann' }],
    });
    expect(users[0]?.password).toBe('s3cret');
  });

  it('shows of an error its type, message, code, stack and causes', () => {
    const { log, lines } = logged();
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    log.error({ err: new TypeError('not saved', { cause }) }, 'save failed');
    expect(lines()[0]?.['err']).toEqual({
      type: 'TypeError',
      message: 'not saved',
      stack: expect.stringContaining('logger.test.ts'),
      cause: expect.objectContaining({
        type: 'Error',
        message: 'connect ECONNREFUSED',
        code: 'ECONNREFUSED',
      }),
    });
  });

  it('shows nothing else that hangs on an error', () => {
    const { log, lines } = logged();
    const err = Object.assign(new Error('query failed'), {
      client: { saslSession: 's3cret' },
      row: ['s3cret'],
    });
    log.error({ err }, 'save failed');
    expect(JSON.stringify(lines())).not.toContain('s3cret');
  });

  it('cuts passwords of URLs out of errors', () => {
    const { log, lines } = logged();
    log.error({ err: new Error('cannot reach redis://worker:s3cret@10.0.0.1:6379/0') }, 'queue error');
    expect(JSON.stringify(lines())).not.toContain('s3cret');
    expect(JSON.stringify(lines())).toContain('redis://[secret]@10.0.0.1:6379/0');
  });

  it('cuts queries of URLs out of errors', () => {
    const { log, lines } = logged();
    log.error({ err: new Error('GET https://mirror.lan/a.zip?sig=s3cret failed') }, 'fetch error');
    expect(JSON.stringify(lines())).not.toContain('s3cret');
    expect(JSON.stringify(lines())).toContain('https://mirror.lan/a.zip?[secret] failed');
  });

  it('logs thrown values that are not errors, and circular causes', () => {
    const { log, lines } = logged();
    const circle = new Error('round');
    circle.cause = circle;
    log.error({ err: 'text' }, 'thrown');
    log.error({ err: circle }, 'thrown');
    log.error({ err: null }, 'nothing thrown');
    expect(lines()[0]?.['err']).toMatchObject({ message: 'thrown: text' });
    expect(lines()[1]?.['err']).toMatchObject({ message: 'round' });
    expect(lines()[2]?.['err']).toBeNull();
  });
});

describe('an outage', () => {
  const away = (port: number) =>
    Object.assign(new Error(`no answer on port ${port}`), { code: 'ECONNREFUSED' });
  const isOutage = (error: Error) => 'code' in error && error.code === 'ECONNREFUSED';

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is one line with a stack, then one line a minute with the number of repetitions', () => {
    const { log, lines } = logged('debug', isOutage);
    for (let request = 1; request <= 1_000; request += 1)
      log
        .child({ requestId: `${request}` })
        .error({ err: away(5000 + request), code: 'unavailable' }, 'request failed');
    expect(lines()).toMatchObject([{ level: 'error', requestId: '1', err: { stack: expect.any(String) } }]);
    jest.advanceTimersByTime(60_000);
    const [, counted, ...more] = lines();
    expect(counted).toMatchObject({
      level: 'error',
      msg: 'request failed',
      code: 'unavailable',
      repeats: 999,
      error: { type: 'Error', message: 'no answer on port 5001', code: 'ECONNREFUSED' },
    });
    expect(JSON.stringify(counted)).not.toContain('stack');
    expect(more).toEqual([]);
    // After a minute without it, it is a new outage.
    jest.advanceTimersByTime(60_000);
    expect(jest.getTimerCount()).toBe(0);
    log.error({ err: away(1), code: 'unavailable' }, 'request failed');
    expect(lines()).toHaveLength(3);
  });

  it('hides no other failure: of another kind, of another feed, and of no outage', () => {
    const { log, lines } = logged('debug', isOutage);
    for (const feedId of ['debian', 'ubuntu', 'debian'])
      log.warn({ feedId, hostId: feedId, err: away(1) }, 'feed sync failed');
    log.warn({ feedId: 'debian', err: away(1) }, 'a sync was not ended');
    for (const id of ['1', '2'])
      log.error({ jobId: id, err: new Error('a fault of the program') }, 'job failed');
    expect(lines().map(({ feedId, jobId, msg }) => `${msg} ${feedId ?? jobId}`)).toEqual([
      'feed sync failed debian',
      'feed sync failed ubuntu',
      'a sync was not ended debian',
      'job failed 1',
      'job failed 2',
    ]);
  });
});
