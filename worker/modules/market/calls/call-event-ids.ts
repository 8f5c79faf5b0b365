/** The event of a call's end. It also marks the end as counted in the caller's statistics. */
export const endedEventId = (callId: string): string => `call_ended:${callId}`;
