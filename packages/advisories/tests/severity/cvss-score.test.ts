import { scoreVector } from '../../src/severity/cvss-score.ts';
import { severityOfScore } from '../../src/severity/rating.ts';

describe('scoreVector', () => {
  // Scores of first.org's own examples (CVSS 2.0 guide 3.3, CVSS 3.1 and 4.0 example documents) and of the CVE list.
  it.each([
    ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8],
    ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 10],
    ['AV:L/AC:H/Au:N/C:C/I:C/A:C', 6.2],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
    ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
    ['CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.1],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
    ['CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
  ])('scores %s as %d', (vector, score) => {
    expect(scoreVector(vector)).toEqual({ score, vector });
  });

  it('scores only the base metrics if others are present', () => {
    const base = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
    expect(scoreVector(`${base}/E:U/RL:O/MAV:L`)).toEqual({ score: 9.8, vector: base });
  });

  it('scores metrics in any order, and puts them into the order of the specification', () => {
    expect(scoreVector('CVSS:3.1/A:H/I:H/C:H/S:U/UI:N/PR:N/AC:L/AV:N')).toEqual({
      score: 9.8,
      vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    });
  });

  it.each([
    '',
    'garbage',
    '9.8',
    'CVSS:3.1/',
    'CVSS:3.1/AV:N',
    'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:N/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:5.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/${'X:Y/'.repeat(200)}`,
  ])('rejects %j as a vector', (text) => {
    expect(scoreVector(text)).toBeNull();
  });
});

describe('severityOfScore', () => {
  it.each([
    [10, 'critical'],
    [9, 'critical'],
    [8.9, 'important'],
    [7, 'important'],
    [6.9, 'moderate'],
    [4, 'moderate'],
    [3.9, 'low'],
    [0.1, 'low'],
    [0, 'none'],
  ] as const)('rates %d as %s', (score, severity) => {
    expect(severityOfScore(score)).toBe(severity);
  });
});
