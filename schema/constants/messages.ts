import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from './time.ts';

// The bot
/** The commands in private chats. */
export const BOT_COMMANDS = [
  { command: 'status', description: 'Review what this chat gets' },
  { command: 'stop', description: 'Disconnect and leave chats' },
  { command: 'call', description: 'Make a call' },
  { command: 'update', description: 'Send an update on a call' },
  { command: 'end', description: 'End a call' },
  { command: 'calls', description: 'List your active calls' },
  { command: 'stats', description: 'Show your record' },
  { command: 'connect', description: 'Post calls in your channel or group' },
  { command: 'help', description: 'List the commands' },
] as const;
/** Telegram's limit, in UTF-16 units. A caller's update has 200 fewer, because other text surrounds it. */
export const TELEGRAM_MESSAGE_MAX_LENGTH = 4096;
export const GROUP_COMMANDS = [
  { command: 'stats', description: "The caller's record" },
  { command: 'first', description: 'Who called a token first' },
  { command: 'recap', description: 'The ended calls of a week or a month' },
] as const;
export const TELEGRAM_UPDATES = [
  'message',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'chat_join_request',
] as const;
/** A reply contains the quoted message, whose JSON may be larger than MAX_BODY_BYTES. */
export const MAX_TELEGRAM_UPDATE_BYTES = 512 * 1024;
export const TELEGRAM_SETTINGS_PATH = '/settings/notifications';
export const TELEGRAM_START_LINK_MS = DAY_MS;
/** Ending all ways keeps the groups and channels that were connected this long, unless the user says otherwise. */
export const CHAT_STAYS_MS = 7 * DAY_MS;
/** A chat that was connected for this long gets security notices for as long after it was disconnected or replaced. */
export const FORMER_CHAT_MS = 7 * DAY_MS;
/** The bot refuses a command that arrives later, because prices have changed since. */
export const COMMAND_MAX_AGE_MS = MINUTE_MS;
/** The lifetime of the buttons under the bot's cards. */
export const OFFER_LIFETIME_MS = MINUTE_MS;
/** Commands in a group: six in any minute, so that the messages about calls fit into Telegram's limit of 20. */
export const GROUP_COMMAND_LIMIT = { burst: 3, everyMs: 20 * SECOND_MS } as const;
/** One member's commands in a group, so that no member uses up the group's limit. */
export const MEMBER_COMMAND_LIMIT = { burst: 2, everyMs: 40 * SECOND_MS } as const;
/** The same recap is drawn once a minute and chat. */
export const RECAP_LIMIT = { burst: 1, everyMs: MINUTE_MS } as const;

// Callers' chats
/** A caller may connect one chat of each kind. */
export const CHAT_KINDS = ['channel', 'group'] as const;
/** Problems of a connected chat. `CHAT_PROBLEM_TEXTS` says what to do. */
/** The topic of a group in which calls are posted is closed, or deleted. */
export const TOPIC_PROBLEMS = ['topic_closed', 'topic_gone'] as const;
export const CHAT_PROBLEMS = [
  'bot_removed',
  'gone',
  'basic_group',
  'no_post_right',
  ...TOPIC_PROBLEMS,
  'unconfirmed',
  'public',
  'discussion_not_connected',
  'discussion_problem',
  'no_remove_right',
  'no_invite_right',
] as const;
/** A request to join a Paid caller's chat is declined after this time. */
export const JOIN_REQUEST_MS = DAY_MS;
/** Changes of one chat, or of one person's chats, that the bot reacts to at once. The hourly check sees the others. */
export const CHAT_REACTIONS = { burst: 5, everyMs: MINUTE_MS };
/** A chat is checked at most this often, besides a check before each call. */
export const CHAT_CHECK_MS = HOUR_MS;

// Callers' updates
/** A caller may send ten updates in this window. A repeated text on the same call isn't sent again in it. */
export const UPDATES_WINDOW_MS = 10 * MINUTE_MS;
export const MAX_UPDATES_PER_WINDOW = 10;
/** The end of a call opens all of its sealed entries in one entry, so their number is limited. */
export const MAX_UPDATES_PER_CALL = 100;
export const UPDATE_MESSAGE_MAX_LENGTH = 3896;

// Sending
export const CALL_EVENT_KINDS = ['call_opened', 'call_ended', 'call_update', 'level_hit'] as const;
/** Kinds of facts that people are told (`worker/modules/messages/facts`): events of calls, and notices. */
export const FACT_KINDS = [
  ...CALL_EVENT_KINDS,
  'own_level_hit',
  'call_ends_soon',
  'paper_ended',
  'payment_made',
  'payment_received',
  'payment_refunded',
  'refund_asked',
  'payout_changed',
  'caller_silent',
  'own_silence',
  'renewal',
  'new_device',
  'way_made',
  'chat_problem',
  'chat_removed',
] as const;
/**
 * Users can switch these off, but not the notices of a payout wallet, a new device or way into the account, an own payment and refunds. With `chat_only`, users
 * get no private message about a call that is posted in a chat of theirs. Without it, they get both.
 */
export const NOTIFICATION_KINDS = [
  ...CALL_EVENT_KINDS,
  'subscription_expiring',
  'subscription_expired',
  'payment_received',
  'chat_only',
] as const;
/** Messages older than this are dropped. Messages about calls become outdated sooner than notices about money. */
export const NOTIFICATION_LIFETIME_MS = HOUR_MS;
export const NOTICE_LIFETIME_MS = DAY_MS;
export const OUTBOX_BATCH_SIZE = 100;
export const MAX_MUTED_CALLERS = 500;
/** Telegram accepts about 30 messages per second from a bot. The sender's burst adds at most five. */
export const MESSAGES_PER_SECOND = 25;
/** Posts in channels and groups. Together with the private messages, the bot stays below Telegram's 30. */
export const POSTS_PER_SECOND = 4;
/** The maximum number of messages per minute about one caller's calls to one follower. Further messages wait. */
export const MAX_MESSAGES_PER_FOLLOWER = 5;
/**
 * Events of calls per minute in one chat, each with a reply, and perhaps an edit of the call's message. Telegram allows 20
 * messages. More events become one reply.
 */
export const MAX_POSTS_PER_CHAT = 10;
/** The sender stores the events that it has sent for this long. */
export const DELIVERIES_KEPT_MS = 30 * DAY_MS;
export const DELIVERY_LOG_PAGE_SIZE = 6;

/** The maximum number of one person's browsers that get notifications. A further browser replaces the oldest one. */
export const MAX_PUSH_DEVICES = 10;
/** Six connections at a time send about this many pushes, at 60 ms each. Push services' own limits are higher. */
export const PUSHES_PER_SECOND = 100;
/** Receivers may take long to respond, so this is far below what the sender could do. */
export const WEBHOOKS_PER_SECOND = 50;
/** The push services of Chrome, Firefox, Safari and Edge. */
export const PUSH_SERVICES = [
  'https://fcm.googleapis.com',
  'https://*.push.services.mozilla.com',
  'https://*.push.apple.com',
  'https://*.notify.windows.com',
] as const;

// Live connections
/** Events for open pages. They contain no data: the page refetches what may have changed. */
export const LIVE_TOPICS = ['calls', 'payments', 'earnings', 'wallets', 'sessions'] as const;
/** Live connections are spread over this many hubs. Each event of a caller is sent to all hubs. */
export const LIVE_HUBS = 8;
/** Limits of one hub. A further connection replaces the person's oldest; over the other limits, it is refused. */
export const MAX_LIVE_CONNECTIONS = { perPerson: 10, perAddress: 250, perHub: 8_000 } as const;
/** Length limit of a page's message: a ping, or the shown caller's id, perhaps followed by ` prices`. */
export const MAX_LIVE_MESSAGE_LENGTH = 64;
export const MAX_LIVE_MESSAGES_PER_MINUTE = 60;
export const MAX_LIVE_FOLLOWS = 1_000;
/** While a connected page shows active calls, it gets their prices at this interval. */
export const LIVE_PRICES_MS = 10 * SECOND_MS;
/** A hub reads the access of at most this many pairs of a viewer and a caller in one statement. */
export const MAX_LIVE_PAIRS = 5_000;
/** A hub sends the prices of at most this many active calls every ten seconds: their rows and 4 MB. */
export const MAX_LIVE_CALLS = 20_000;
/** A hub asks for the prices of at most this many tokens at a time, as many as the sources send in two seconds. */
export const MAX_LIVE_TOKENS = 4_000;
/** Close codes of a WebSocket. After `signedOut` and `replaced`, the page doesn't connect again by itself. */
export const LIVE_CLOSE_CODES = { signedOut: 4401, replaced: 4409, badMessage: 4400 } as const;
