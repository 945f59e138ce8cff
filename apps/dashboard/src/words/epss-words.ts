const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** How likely it is, by FIRST's prediction, that attackers use it within 30 days. */
export function epssWords(score: number): string {
  return score > 0 && score < 0.001 ? '< 0.1%' : percent.format(score);
}
