import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { TELEGRAM_SETTINGS_PATH } from '#schema/constants/messages.ts';
import { FREE_TO_PAID_GRACE_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { ChatProblem } from '#schema/rules/access/telegram-chats.ts';
import { describeChatProblem, describeOnlyCallers } from '#schema/rules/access/telegram-chat-texts.ts';
import { isolateName, showChat, showHandle, type NamedChat } from '../../../shared/plain-text.ts';

const showTopic = (name: string | null) => (name === null ? '' : `the topic ${isolateName(name)} of `);

export function createChatTexts(appOrigin: string) {
  const settings = `${appOrigin}${TELEGRAM_SETTINGS_PATH}`;
  const connect = 'Send /connect to choose a channel or group.';
  return {
    offer: (chat: NamedChat) =>
      `You added the bot to ${showChat(chat)}. Post your calls there? Nothing is posted before you press Yes.`,
    needsRights: (chat: NamedChat) =>
      `The bot is in ${showChat(chat)}, but isn't an administrator. To post your calls there, make it an administrator ` +
      'with the rights to invite and ban users.',
    declined: `Nothing is posted there. You can remove the bot from the chat. ${connect}`,
    pick: 'Choose the channel or group where your calls are posted. You must be an administrator there.',
    notConnected: `Connect this chat with your ${PRODUCT_NAME} account first: ${settings}`,
    notCaller: describeOnlyCallers(`${appOrigin}/dashboard`),
    // Without the title, which only people in the chat may know.
    notManager: ({ kind }: Pick<NamedChat, 'kind'>) =>
      `Only the owner of the ${kind}, or an administrator who may invite and remove people, can connect it.`,
    otherCaller: (chat: NamedChat) =>
      `Another caller has connected ${showChat(chat)}. They must disconnect it first, in their settings, or the owner ` +
      `of the ${chat.kind} connects it.`,
    otherChat: ({ kind }: NamedChat) =>
      `You have connected another ${kind}. Disconnect that one in your settings first: ${settings}`,
    notThere: `Nothing was connected. Make the bot an administrator there first. ${connect}`,
    connected: (
      { isForum, topicName, ...chat }: NamedChat & { isForum: boolean; topicName: string | null },
      joinLink: string | null,
    ) =>
      [
        `Connected. Your calls are posted in ${showTopic(topicName)}${showChat(chat)} from now on. Change this in your settings: ${settings}`,
        ...(isForum ? ['To have them posted in another topic, send /connect there.'] : []),
        ...(joinLink === null
          ? []
          : [
              'The bot only sees people who come from now on. Remove those who may not read your calls yourself.',
              `Link for subscribers: ${joinLink}`,
            ]),
      ].join('\n\n'),
    connectedWithProblem: (chat: NamedChat) =>
      `Connected, but ${showChat(chat)} has a problem. The next message says what to do.`,
    confirmed: (chat: NamedChat) =>
      `Confirmed. Only subscribers may be in ${showChat(chat)}. Members without a subscription can stay for ` +
      `${FREE_TO_PAID_GRACE_MS / DAY_MS} days.`,
    removed: ({ twitterHandle, ...chat }: NamedChat & { twitterHandle: string }) =>
      `You were removed from ${showChat(chat)}. It's for subscribers of ${showHandle(twitterHandle)}, and you have no ` +
      'subscription now. To come back, subscribe and ask to join again.',
    outdated: `This button doesn't work anymore. ${connect}`,
    problem: (problem: ChatProblem, chat: NamedChat) =>
      `A problem with ${showChat(chat)}: ${describeChatProblem(problem, chat.kind)}`,
  };
}
