import type { CurrentUser } from '#schema/contracts/users.ts';

/** True if the user gets messages anywhere, so that muting a caller makes sense. */
export const hasMessageChannel = ({
  telegramConnected,
  hasPush,
}: Pick<CurrentUser, 'telegramConnected' | 'hasPush'>) => telegramConnected || hasPush === true;
