export function describeMessages(isCaller: boolean): string {
  const followed =
    'Get new calls, updates and results from the callers you follow, and reminders before a subscription ends.';
  return isCaller
    ? `${followed} You also get a message when you receive a payment or your payout wallet changes.`
    : followed;
}
