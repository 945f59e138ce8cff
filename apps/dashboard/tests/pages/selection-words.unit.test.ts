import { selectionInWords } from '../../src/pages/plans/selection-words.ts';

it.each([
  ['filter: approval_status=approved, reboot_state=needed', 'Approval: Approved, Reboot: Needed'],
  ['filter: tag=web', 'Tag: web'],
  ['filter: q=a, b', 'filter: q=a, b'],
  ['filter: tag=a=b', 'filter: tag=a=b'],
  ['3 chosen hosts', '3 chosen hosts'],
  ['tags: web, db', 'tags: web, db'],
])('the selection %s of a saved plan reads %s', (text, words) => {
  expect(selectionInWords(text)).toBe(words);
});
