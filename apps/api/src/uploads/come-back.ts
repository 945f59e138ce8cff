/** 10 to 20 seconds: when a refused sender may come back. Those that are refused together do not come back together. */
export function soonSeconds(): number {
  return 10 + Math.round(Math.random() * 10);
}
