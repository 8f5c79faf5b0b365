/** A time in Unix ms as its day in UTC, 'YYYY-MM-DD'. */
export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
