import { alignEpochs } from '../../src/words/version-words.ts';

describe('versions beside each other', () => {
  it.each([
    [
      ['2.34-28.el9_0', '0:2.34-60.el9_2.7'],
      ['2.34-28.el9_0', '2.34-60.el9_2.7'],
    ],
    [
      ['1:9.2p1-2', '9.3p1-1'],
      ['1:9.2p1-2', '0:9.3p1-1'],
    ],
    [
      ['32:9.16.23-1.el9', '32:9.16.23-18.el9_4'],
      ['32:9.16.23-1.el9', '32:9.16.23-18.el9_4'],
    ],
    [
      ['1.0', null],
      ['1.0', null],
    ],
    [
      [null, '0:1.0'],
      [null, '1.0'],
    ],
    [
      ['1.0', '1.1', '2:0.1'],
      ['0:1.0', '0:1.1', '2:0.1'],
    ],
  ])('%j have epochs on all or on none: %j', (versions, shown) => {
    expect(alignEpochs(versions)).toEqual(shown);
  });
});
