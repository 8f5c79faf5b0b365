/** A user as the Bot API describes them. */
export interface UserJson {
  id: number;
  [field: string]: unknown;
}

/** Sends as a group's anonymous administrators. */
export const ANONYMOUS_ADMIN_ID = 1_087_968_824;
/** Telegram itself, which forwards a channel's posts into its discussion group. */
export const SERVICE_USER_ID = 777_000;

export const specialUsers: Readonly<Record<number, UserJson>> = {
  [ANONYMOUS_ADMIN_ID]: {
    id: ANONYMOUS_ADMIN_ID,
    is_bot: true,
    first_name: 'Group',
    username: 'GroupAnonymousBot',
  },
  [SERVICE_USER_ID]: { id: SERVICE_USER_ID, is_bot: false, first_name: 'Telegram' },
};
