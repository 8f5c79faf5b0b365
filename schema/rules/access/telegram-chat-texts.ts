import { ALLOWS_POSTS, type ChatKind, type ChatProblem } from './telegram-chats.ts';

/** Each problem of a chat, and what its caller can do. `{chat}` is the kind of chat. */
const TEXTS: Readonly<Record<ChatProblem, string>> = {
  bot_removed:
    "The bot isn't in this {chat} anymore. Add it again as an administrator, or disconnect the {chat}.",
  gone: "Telegram doesn't know this {chat} anymore. If it was deleted, disconnect it in your settings.",
  basic_group:
    'Telegram calls this a basic group, from which nobody can be kept out. Make it a supergroup: in its settings, make the chat history visible to new members.',
  no_post_right:
    'The bot may not post in this {chat}. Make it an administrator with the right to post messages.',
  topic_closed: 'The topic for your calls is closed. Reopen it, or send /connect in another topic.',
  topic_gone: "The topic for your calls doesn't exist anymore. Send /connect in another topic.",
  unconfirmed:
    'You charge a fee now. Confirm that this {chat} is for subscribers only. Members without a subscription can then stay for 30 days. Earlier posts stay readable and can still be forwarded.',
  public: "Everyone can read this {chat}. Make it private: remove its public link in Telegram's settings.",
  discussion_not_connected:
    "Posts also appear in the channel's discussion group, which isn't connected. Connect that group too, or unlink it in Telegram.",
  discussion_problem:
    "Posts also appear in the channel's discussion group, where no calls may be posted now. Solve the group's problem, or unlink it in Telegram.",
  no_remove_right:
    "The bot can't remove people whose subscription has ended. Allow it to ban users in its administrator rights.",
  no_invite_right:
    "The bot can't let subscribers in. Allow it to invite users via link in its administrator rights.",
};

export const describeOnlyCallers = (dashboard: string) =>
  `Only callers can do this. Become a caller first: ${dashboard}`;

export function describeChatProblem(problem: ChatProblem, kind: ChatKind): string {
  const text = TEXTS[problem].replaceAll('{chat}', kind);
  return ALLOWS_POSTS.has(problem) ? text : `${text} No calls are posted there until this is solved.`;
}
