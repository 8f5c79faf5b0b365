/** While the page's WebSocket is open, queries needn't poll for what the server sends. */
export const liveState = { isOn: false };

/** Refetch interval for data whose changes the server sends (`web/api/live.ts`). */
export const pollUnlessLive = (intervalMs: number): number | false => (liveState.isOn ? false : intervalMs);
