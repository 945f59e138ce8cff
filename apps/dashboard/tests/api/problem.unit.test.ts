import { ApiProblem, messageOf, readProblem, ServerUnreachable } from '../../src/api/problem.ts';

const answer = (body: string, status: number, headers: Readonly<Record<string, string>> = {}) =>
  new Response(body, { status, headers });

describe('a refusal of the server', () => {
  it('has the code, the fields and the request id of a problem document', async () => {
    const errors = [{ pointer: '/email', detail: 'is taken' }];
    const problem = await readProblem(
      answer(JSON.stringify({ code: 'conflict', detail: 'Not possible.', errors }), 409, {
        'X-Request-Id': 'r-1',
        'Retry-After': '30',
      }),
    );
    expect(problem).toMatchObject({ status: 409, code: 'conflict', requestId: 'r-1', retryAfter: 30 });
    expect(messageOf(problem)).toBe('Not possible. email: is taken');
  });

  it('names a field once where the message only repeats it', async () => {
    const errors = [{ pointer: '/version_lt', detail: 'is not a version' }];
    const problem = await readProblem(
      answer(
        JSON.stringify({ code: 'validation_failed', detail: '/version_lt is not a version.', errors }),
        422,
      ),
    );
    expect(messageOf(problem)).toBe('version_lt: is not a version.');
  });

  it.each(['<html>Bad gateway</html>', 'null', '[]', '{"errors":[null],"code":7}'])(
    'is readable when its body is %s',
    async (body) => {
      const problem = await readProblem(answer(body, 502));
      expect(problem).toMatchObject({ status: 502, code: 'unknown', retryAfter: null });
      expect(problem.message).toBe('The server answered 502.');
    },
  );

  it.each([
    [1, 'a second'],
    [59.2, '60 seconds'],
    [100, '2 minutes'],
    [121, '3 minutes'],
  ])('names a wait of %d s that is not too short: %s', (retryAfter, words) => {
    const problem = new ApiProblem({
      status: 429,
      code: 'rate_limited',
      detail: 'Too many attempts.',
      requestId: null,
      fields: [],
      retryAfter,
    });
    expect(messageOf(problem)).toBe(`Too many attempts. Try again in ${words}.`);
  });

  it('has words for everything that can be thrown', () => {
    expect(messageOf(new ServerUnreachable({ cause: 'reset' }))).toBe('The server does not answer.');
    expect(messageOf('text')).toBe('text');
    expect(messageOf(undefined)).toBe('undefined');
  });
});
