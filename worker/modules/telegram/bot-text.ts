import { BOT_COMMANDS, HOUR_MS, PRODUCT_NAME, TELEGRAM_START_LINK_MS } from '#schema/constants.ts';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import { showHandle } from '../../shared/plain-text.ts';

const KINDS: Readonly<Record<NotificationKind, string>> = {
  call_opened: 'new calls',
  call_ended: 'ended calls',
  call_update: 'updates on calls',
  subscription_expiring: 'subscriptions that end soon',
  subscription_expired: 'subscriptions that have ended',
  payment_received: 'payments to you',
};

/** What a connected chat gets. `account` is a handle on X. */
export interface ChatStanding {
  readonly account: string;
  readonly followedCallers: number;
  readonly mutedCallers: number;
  readonly kindsOff: readonly NotificationKind[];
}

/** What the bot answers in a chat, in words. Plain text; `dashboard` is the address of the dashboard. */
export function createBotTexts(dashboard: string) {
  const product = PRODUCT_NAME;
  const connect = `open your dashboard, save your Telegram username there and press the link it shows you: ${dashboard}`;
  const linkHours = TELEGRAM_START_LINK_MS / HOUR_MS;

  return {
    welcome: `This is the bot of ${product}. To hear here of the calls that you follow, ${connect}`,
    notConnected: `This chat is connected to no ${product} account. To connect it, ${connect}`,
    help: [
      `This is the bot of ${product}.`,
      BOT_COMMANDS.map(({ command, description }) => `/${command}: ${description}`).join('\n'),
      `Everything else is on your dashboard: ${dashboard}`,
    ].join('\n\n'),
    connected: (account: string) =>
      `Connected. What you follow on ${product} as ${showHandle(account)} arrives in this chat. /status says what that is, /stop ends it.`,
    connectedBefore: (account: string) =>
      `This chat is connected to ${showHandle(account)} already. A link works once, so this one changed nothing.`,
    deadLink: `This link does not work any more: a link works once, for ${linkHours} hours, and a newer one replaces it. Get a new one on your dashboard: ${dashboard}`,
    otherAccountsChat: `This chat is connected to another ${product} account already. Write /stop to disconnect it, then press the link again.`,
    otherUsername: (username: string) =>
      `Nothing was connected: the Telegram username saved on ${product} is another one than yours now, @${username}. Save @${username} on your dashboard and press the new link there: ${dashboard}`,
    noUsername: `Nothing was connected: you have no Telegram username now. Choose one in Telegram's settings, save it on your dashboard and press the new link there: ${dashboard}`,
    disconnected: (account: string) =>
      `Disconnected from ${showHandle(account)}: nothing more arrives here. To come back, press a new link on your dashboard: ${dashboard}`,
    nothingToStop: `This chat was not connected to any ${product} account: nothing arrives here. To connect it, ${connect}`,
    stoppedBefore: (account: string) =>
      `This chat was connected to ${showHandle(account)} again after you wrote that. Write /stop once more to disconnect it.`,
    status: ({ account, followedCallers, mutedCallers, kindsOff }: ChatStanding) =>
      [
        `Connected to ${showHandle(account)} on ${product}.`,
        [
          `You follow: ${followedCallers === 1 ? '1 caller' : `${followedCallers} callers`}`,
          `Muted: ${mutedCallers === 1 ? '1 caller' : `${mutedCallers === 0 ? 'no' : mutedCallers} callers`}`,
          `Switched off: ${kindsOff.length === 0 ? 'nothing' : kindsOff.map((kind) => KINDS[kind]).join(', ')}`,
        ].join('\n'),
        `Change it on your dashboard: ${dashboard}`,
      ].join('\n\n'),
  };
}
