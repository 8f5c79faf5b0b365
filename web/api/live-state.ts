/**
 * `isOn` is true while the page's WebSocket is open. Then queries needn't poll for changes that the server
 * sends.
 */
export const liveState = { isOn: false };

/** Refetch interval for data whose changes the server sends (`web/api/live.ts`). */
export const pollUnlessLive = (intervalMs: number): number | false => (liveState.isOn ? false : intervalMs);
