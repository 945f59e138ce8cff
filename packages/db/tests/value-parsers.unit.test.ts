import pg from 'pg';
import { valueParsers } from '../src/core/value-parsers.ts';

const types = valueParsers();
// The declared type of these parsers is that of numbers.
const parserOf = (type: number) => types.getTypeParser(type) as unknown as (text: string) => unknown;
const read = (type: number, text: string): unknown => parserOf(type)(text);
const readByPg = (type: number, text: string): unknown => pg.types.getTypeParser(type)(text);

describe('the parsers of values', () => {
  it.each([
    [1184, '2026-11-23 19:54:51.098+00'],
    [1184, '2026-11-23 19:54:51.1+00'],
    [1184, '2024-02-29 00:00:00+00'],
    [1184, '2026-11-23 19:54:51.123456+00'],
    [1184, '2026-11-23 19:54:51+05:30'],
    [1184, '0044-03-15 12:00:00+00'],
    [1184, '0044-03-15 12:00:00+00 BC'],
    [1184, '12026-01-01 00:00:00+00'],
    [1184, 'infinity'],
    [1184, '-infinity'],
    [1009, '{}'],
    [1009, '{CVE-2024-1}'],
    [1009, '{CVE-2024-1,CVE-2024-2}'],
    [1009, '{"a,b",c}'],
    [1009, '{"a\\"b","\\\\"}'],
    [1009, '{NULL,a}'],
    [1009, '{"NULL",a}'],
    [1009, '{{a,b},{c,d}}'],
    [1009, '[0:1]={a,b}'],
    [1007, '{}'],
    [1007, '{1,-2,2147483647}'],
    [1007, '{NULL,1}'],
    [1007, '{{1,2},{3,4}}'],
  ])('read %i %s as pg does', (type, text) => {
    expect(read(type, text)).toEqual(readByPg(type, text));
  });
});
