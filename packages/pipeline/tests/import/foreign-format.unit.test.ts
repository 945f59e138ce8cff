import { readContent } from './read-content.ts';

it.each([
  ['an HTML page', '<!DOCTYPE html><html><body>Sign in</body></html>'],
  ['an HTML page', '\n<html lang="en"><head></head></html>'],
  ['an HTML page', '<!-- portal --><html></html>'],
  ['OVAL', '<?xml version="1.0"?>\n<oval_definitions xmlns="http://oval.mitre.org/"></oval_definitions>'],
  ['OVAL', '<?xml version="1.0"?><!-- by hand --><oval:oval_definitions/>'],
  ['CVRF', '<cvrfdoc xmlns="http://www.icasi.org/CVRF/schema/cvrf/1.1"></cvrfdoc>'],
  ["a repository's index", '<?xml version="1.0"?><repomd></repomd>'],
])('names %s in the refusal', async (name, text) => {
  await expect(readContent(text)).rejects.toMatchObject({
    code: 'not_recognised',
    message: expect.stringContaining(name),
  });
});

it.each([
  [
    'a CSAF document (csaf_informational_advisory)',
    { document: { category: 'csaf_informational_advisory' } },
  ],
  ['a bill of materials', { bomFormat: 'CycloneDX' }],
])('names %s in the reason of the record', async (name, json) => {
  expect(await readContent(JSON.stringify(json))).toMatchObject([
    { kind: 'broken', detail: expect.stringContaining(name) },
  ]);
});

it('does not take what it reads, or what is merely broken, for a foreign format', async () => {
  expect(await readContent('<updates></updates>')).toEqual([]);
  expect(await readContent('{"id": "CVE-2026-1", "affected": []}')).toMatchObject([
    { kind: 'record', format: 'osv' },
  ]);
  expect(await readContent('{"dataType": "CVE_RECORD", "cveMetadata": {}}')).toMatchObject([
    { kind: 'record', format: 'ssvc' },
  ]);
  expect(await readContent('{"id": 5}')).toMatchObject([{ kind: 'record', format: 'osv' }]);
  expect(await readContent('{"document": {"category": "csaf_vex"}}')).toMatchObject([
    { kind: 'record', format: 'csaf-vex' },
  ]);
  expect(await readContent('{"document": {"category": "csaf_security_advisory"}}')).toMatchObject([
    { kind: 'record', format: 'csaf-vex' },
  ]);
  await expect(readContent('<?xml version="1.0"')).rejects.toMatchObject({ code: 'invalid_xml' });
});
