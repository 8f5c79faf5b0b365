/** The orders of the directory that the log gives. The first one is the default. */
export const SORTS = ['avgReturn', 'winRate', 'followerReturn', 'proven', 'totalCalls', 'lastCall'] as const;
export type Sort = (typeof SORTS)[number];
