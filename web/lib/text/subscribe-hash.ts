/** Fragment of a caller's page that opens the Subscribe dialog. */
export const SUBSCRIBE_HASH = 'subscribe';
/** The same for people who ask to join the caller's chat on Telegram. Those with access see the profile only. */
export const JOIN_HASH = 'join';
