const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** FIRST's predicted probability of exploitation within 30 days, as a percentage. */
export function epssWords(score: number): string {
  return score > 0 && score < 0.001 ? '< 0.1%' : percent.format(score);
}
