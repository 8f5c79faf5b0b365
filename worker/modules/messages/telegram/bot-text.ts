import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { BOT_COMMANDS, TELEGRAM_START_LINK_MS } from '#schema/constants/messages.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { showHandle } from '../../../shared/plain-text.ts';

const KINDS: Readonly<Record<NotificationKind, string>> = {
  call_opened: 'new calls',
  call_ended: 'ended calls',
  call_update: 'call updates',
  level_hit: 'targets and stops',
  subscription_expiring: 'subscriptions ending soon',
  subscription_expired: 'ended subscriptions',
  payment_received: 'payments you receive',
  chat_only: 'getting each call once',
};

export interface ChatSettings {
  readonly account: string;
  readonly followedCallers: number;
  readonly mutedCallers: number;
  readonly kindsOff: readonly NotificationKind[];
}

export function createBotTexts(settings: string) {
  const product = PRODUCT_NAME;
  const connect = `open your settings and press Connect Telegram: ${settings}`;
  const linkHours = TELEGRAM_START_LINK_MS / HOUR_MS;

  return {
    welcome: `This is the ${product} bot. To get calls from the callers you follow, ${connect}`,
    notConnected: `This chat isn't connected to a ${product} account. To connect it, ${connect}`,
    help: [
      `This is the ${product} bot.`,
      BOT_COMMANDS.map(({ command, description }) => `/${command}: ${description}`).join('\n'),
      `Change everything else in your settings: ${settings}`,
    ].join('\n\n'),
    connected: (account: string) =>
      `Connected. This chat now gets the messages for ${showHandle(account)} on ${product}.\n\n` +
      'Send /status to see your settings. /stop disconnects this chat and removes you from callers’ chats for subscribers.',
    connectedBefore: (account: string) =>
      `This chat is already connected to ${showHandle(account)}. Each link works once, so nothing has changed.`,
    deadLink:
      `This link doesn't work anymore. A link works once, for ${linkHours} hours, and a newer link replaces it. ` +
      `Get a new link in your settings: ${settings}`,
    otherAccountsChat:
      `This chat is already connected to another ${product} account. ` +
      'Send /stop to disconnect it, then press the link again.',
    disconnected: (account: string) =>
      `Disconnected from ${showHandle(account)}. This chat gets no more messages, and you are removed from ` +
      'callers’ chats for subscribers.\n\nTo get back in, reconnect and ask to join again. ' +
      `Get a new link in your settings: ${settings}`,
    nothingToStop: `This chat isn't connected to a ${product} account, so it gets no messages. To connect it, ${connect}`,
    stoppedBefore: (account: string) =>
      `You reconnected this chat to ${showHandle(account)} after you sent /stop. Send /stop again to disconnect it.`,
    status: ({ account, followedCallers, mutedCallers, kindsOff }: ChatSettings) =>
      [
        `Connected to ${showHandle(account)} on ${product}.`,
        [
          `You follow: ${pluralize(followedCallers, 'caller')}`,
          `Muted: ${mutedCallers === 0 ? 'no callers' : pluralize(mutedCallers, 'caller')}`,
          `Switched off: ${kindsOff.length === 0 ? 'nothing' : kindsOff.map((kind) => KINDS[kind]).join(', ')}`,
        ].join('\n'),
        `Change these settings: ${settings}`,
      ].join('\n\n'),
  };
}
