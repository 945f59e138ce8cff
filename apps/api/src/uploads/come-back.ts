/**
 * When a refused sender may retry: 10 to 20 seconds, random so that senders refused together do not return together.
 */
export function soonSeconds(): number {
  return 10 + Math.round(Math.random() * 10);
}
