/** Whether the page's WebSocket is open. Then nobody needs to ask for changes of which the server tells. */
export const liveState = { isOn: false };

/** A refetch interval for data whose changes the server tells (`web/api/live.ts`). */
export const pollUnlessLive = (intervalMs: number): number | false => (liveState.isOn ? false : intervalMs);

/** Active calls carry their prices, which aren't events. So a list with active calls is always polled. */
export const pollForPrices = (calls: readonly { isActive: boolean }[] | undefined, intervalMs: number) =>
  calls?.some(({ isActive }) => isActive) === true ? intervalMs : pollUnlessLive(intervalMs);
