/** Fragment of a caller's page that opens the Subscribe dialog. */
export const SUBSCRIBE_HASH = 'subscribe';
/** The fragment for people who ask to join the caller's chat on Telegram. With access, they see only the profile. */
export const JOIN_HASH = 'join';
