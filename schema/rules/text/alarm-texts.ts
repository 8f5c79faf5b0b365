import { CRON_SILENCE_MS } from '#schema/constants/running.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Ability } from '#schema/rules/running/outages.ts';

export interface AlarmText {
  /** A sentence that says what users or we lose. */
  readonly effect: string;
  readonly act: string;
}

/** The texts of alarms by kind. docs/OPERATIONS.md says more. */
export const ALARM_TEXTS = {
  'cron.silent': {
    effect: `The cron hasn’t run for ${CRON_SILENCE_MS / MINUTE_MS} minutes: prices stand still, messages are late, and payments of closed pages wait.`,
    act: 'Look at the worker’s logs and at Cloudflare’s status.',
  },
  'backup.late': {
    effect: 'The nightly backup has taken longer than a day, so a restore would lose more.',
    act: 'Read the error of job.failed with backup.export. Usually the bucket is gone or refuses writes.',
  },
  'backup.refused': {
    effect:
      'A new payment’s terms couldn’t be copied to R2. After a loss of the database, it might match nothing.',
    act: 'Look at the bucket BACKUPS and at Cloudflare’s status. The next nightly backup has what is missing.',
  },
  'chain.endpoint_down': {
    effect:
      'One RPC endpoint fails. Payments work with the other one, but expired ones block their payers longer.',
    act: 'Ask the provider, or set the secret to another provider’s address.',
  },
  'ledger.check_failed': {
    effect: 'The daily check of the ledger failed. It goes on in ten minutes.',
    act: 'Read the error. Usually the RPC endpoints don’t respond.',
  },
  'ledger.check_late': {
    effect: 'A check of the ledger has taken longer than a day.',
    act: 'Look at the check’s other alarms. Without any, somebody floods the platform wallet.',
  },
  'ledger.problems': {
    effect: 'The ledger differs from the chain.',
    act: 'See “Ledger problems” in docs/OPERATIONS.md before you change anything.',
  },
  'log.anchor_balance': {
    effect:
      'The wallet of the public log’s anchors is almost empty. Without anchors, gains stop counting in Proven.',
    act: 'Send SOL to the address.',
  },
  'log.contradiction': {
    effect: 'The database is older than the public log or differs from it, so nothing is signed.',
    act: 'See “An older database than the public log” in docs/OPERATIONS.md.',
  },
  'log.not_anchored': {
    effect:
      'The public log has no anchor on Solana for 15 minutes. Gains of calls made meanwhile count as 0 in Proven.',
    act: 'Look at the results of log.anchor. Usually the wallet is empty, or the RPC endpoints don’t respond.',
  },
  'log.not_sequenced': {
    effect: 'The public log doesn’t grow. Calls go on, but are late after 15 minutes.',
    act: 'The error says why.',
  },
  'notifications.failed': {
    effect: 'Messages were given up, because they couldn’t be sent in time.',
    act: 'When the cause is gone, send them again from the console.',
  },
  'payments.orphans': {
    effect: 'Somebody paid money that matches no payment.',
    act: 'Resolve it on the console.',
  },
  'payments.position_lost': {
    effect:
      'No RPC endpoint lists the platform wallet back to the last run. Older payments could be missing.',
    act: 'Look in an explorer at the wallet’s transactions before the position, and ask the providers.',
  },
  'payments.refund_unreadable': {
    effect: 'A transfer for a refund can’t be read, so its caller can’t refund that payment.',
    act: 'Update web3.js and deploy, or release it: see docs/OPERATIONS.md.',
  },
  'payments.revoked': {
    effect: 'A fork removed payments, and their periods.',
    act: 'Nothing: they count again if they land again. If there are many, check the RPC endpoints.',
  },
  'payments.unread': {
    effect: 'No RPC endpoint returns a transaction of the platform wallet. It’s read again every six hours.',
    act: 'Look at it in an explorer. If it’s a payment, ask the providers.',
  },
  'payments.unreadable': {
    effect: 'A payment can’t be read, so its payer waits and can’t pay that caller again.',
    act: 'Update web3.js and deploy: it then counts by itself. If it isn’t a payment, release it on the console.',
  },
} as const satisfies Record<string, AlarmText>;

/** Completes "Users can’t". */
export const ABILITY_TEXTS: Readonly<Record<Ability, string>> = {
  pages: 'open pages',
  sign_in: 'sign in',
  payments: 'pay',
  calls: 'open or end calls',
  messages: 'get messages on Telegram',
  posts: 'post on X',
};

interface CauseText {
  readonly cause: string;
  readonly act: string;
}

const DATABASE = 'Look at D1 in Cloudflare’s dashboard and at Cloudflare’s status.';

/** Likely causes of outages. */
const CAUSE_TEXTS: Readonly<Partial<Record<string, CauseText>>> = {
  'database.unreadable': { cause: 'The database does not respond.', act: DATABASE },
  'database.unwritable': {
    cause: 'The database refuses writes. It may be full.',
    act: `${DATABASE} A full database needs more space: see docs/SCALE.md.`,
  },
  'database.slow': { cause: 'The database needs over four seconds for a statement.', act: DATABASE },
  'prices.unavailable': {
    cause: 'Neither Jupiter nor DexScreener gives a price of SOL.',
    act: 'Look at their status pages, and whether our API key still works.',
  },
  'chain.unavailable': {
    cause: 'Neither RPC endpoint responds.',
    act: 'Ask the providers, or set the secrets to other providers’ addresses.',
  },
  'chain.wrong_cluster': {
    cause: 'An RPC endpoint is on another cluster.',
    act: 'Correct the address of the endpoint that the log names with this event.',
  },
  'x.unavailable': { cause: 'X does not respond.', act: 'Look at X’s status. Sessions continue.' },
  'x.client_refused': {
    cause: 'X refuses our client id or secret.',
    act: 'Set X_CLIENT_SECRET to the secret in X’s developer console, and deploy.',
  },
  'x.credits_depleted': {
    cause: 'Our credits at X are used up, or the spending limit is reached.',
    act: 'Buy credits in X’s developer console, or raise the limit.',
  },
  'x.rate_limited': {
    cause: 'X’s rate limit refuses our requests.',
    act: 'Wait for its window of 15 minutes.',
  },
  'telegram.refused': {
    cause: 'Telegram refuses our bot.',
    act: 'Set TELEGRAM_BOT_TOKEN to the token that @BotFather shows, and deploy.',
  },
  'telegram.unavailable': {
    cause: 'Telegram does not respond.',
    act: 'Wait: messages are kept and sent later.',
  },
};

const describeCause = (cause: string): CauseText =>
  CAUSE_TEXTS[cause] ?? { cause, act: 'Read the log lines “request.failed” of these minutes.' };

/** The text of an outage for operators. @param since unix ms */
export function describeOutage(outage: {
  readonly ability: Ability;
  readonly since: number;
  readonly cause: string;
}): AlarmText {
  const { cause, act } = describeCause(outage.cause);
  const since = new Date(outage.since).toISOString().slice(11, 16);
  return { effect: `Users can’t ${ABILITY_TEXTS[outage.ability]} since ${since} UTC. ${cause}`, act };
}
