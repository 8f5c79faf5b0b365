/** Fragment of a caller's page that opens the Subscribe dialog. */
export const SUBSCRIBE_HASH = 'subscribe';
