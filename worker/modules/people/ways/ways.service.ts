import { WAY_KINDS, type WayKind } from '#schema/constants/people.ts';
import type { EndedWays, Way } from '#schema/contracts/ways.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { afterItsEnd } from '../../../shared/database.ts';
import { hashToken, type SignedTokens } from '../../../shared/secrets.ts';
import type { Live } from '../../../ports/live.ts';
import {
  createWaysRepository,
  oneWay,
  type EndedWays as Ended,
  type RevocableTokens,
} from './ways.repository.ts';

interface WaysOptions extends Pick<Base, 'db' | 'clock' | 'env'> {
  readonly live: Pick<Live, 'peopleChanged'>;
  readonly tokens: SignedTokens;
  /** Checks the account's other groups and channels after one was disconnected. */
  readonly checkChats: (userId: string) => Promise<unknown>;
  /** Revokes a deleted permission to post at X. */
  readonly revokeXTokens: (tokens: RevocableTokens) => Promise<unknown>;
}

export interface Viewing {
  readonly userId: string;
  readonly currentId: string;
}

export interface OneWay {
  readonly userId: string;
  readonly id: string;
  /** Also ends the ways that this session has made. */
  readonly withMade?: boolean | undefined;
}

export type WaysService = ReturnType<typeof createWaysService>;

/** The ways into a user's account: sessions, API keys, the webhook, Telegram, and the permission to post on X. */
export function createWaysService(options: WaysOptions) {
  const { db, live, tokens, clock, env, checkChats, revokeXTokens } = options;
  const repository = createWaysRepository(db);

  /** The last delivered message; the database doesn't know it. */
  const lastMessage = async (channel: 'telegram' | 'webhook', userId: string) => {
    const results = await env.SENDER.getByName(channel).listResults(userId);
    return results.find(({ result }) => result === 'delivered')?.at ?? null;
  };

  const finish = async (userId: string, { counts, xTokens }: Ended): Promise<EndedWays> => {
    live.peopleChanged({ userIds: [userId], topic: 'sessions' });
    await Promise.all(xTokens.map(revokeXTokens));
    if (counts.chat) await checkChats(userId).catch(() => undefined);
    return { message: describeEnded(counts) };
  };

  return {
    async list({ userId, currentId }: Viewing): Promise<Way[]> {
      const rows = await repository.list({ userId, currentId, now: clock.now() });
      return Promise.all(
        rows.map(async ({ mayCall, isNew, staysByDefault, madeAt, lastUsedAt, ...way }): Promise<Way> => {
          const { id, kind } = way;
          const usedAt =
            kind === 'telegram' || kind === 'webhook' ? await lastMessage(kind, userId) : lastUsedAt;
          return {
            ...way,
            mayCall: mayCall === 1,
            isNew: isNew === 1,
            staysByDefault: staysByDefault === 1,
            isCurrent: id === currentId,
            madeAt: new Date(madeAt).toISOString(),
            lastUsedAt: usedAt === null ? null : new Date(usedAt).toISOString(),
          };
        }),
      );
    },

    /** @throws ways.not_found */
    async end({ userId, id, withMade = false }: OneWay): Promise<EndedWays> {
      const ended = await repository.end({ userId, now: clock.now(), which: oneWay(id, withMade) });
      const isEnded = Object.values(ended.counts).some((count) => count > 0);
      if (!isEnded) throw new AppError({ code: 'ways.not_found' });
      return finish(userId, ended);
    },

    /**
     * Ends all ways but the current session and the kept ones. The session gets a new token, because somebody may have
     * copied the old one.
     */
    async endOthers({ userId, currentId: from, keep }: Viewing & { keep: readonly string[] }) {
      const sessionToken = await tokens.create();
      const to = hashToken(sessionToken);
      const ended = await repository.endOthers({ userId, from, to, keep, now: clock.now() });
      return { sessionToken, ended: await afterItsEnd(() => finish(userId, ended)) };
    },

    /** Does what remains after `endWays` in another transaction, and says what has ended. */
    finish,
  };
}

const LABELS: Readonly<Record<WayKind, (count: number) => string>> = {
  session: (count) => pluralize(count, 'session'),
  key: (count) => pluralize(count, 'key'),
  webhook: () => 'the webhook',
  telegram_link: () => 'the link to connect Telegram',
  telegram: () => 'Telegram',
  chat: (count) => (count === 1 ? 'a group or channel' : 'a group and a channel'),
  push: (count) => `notifications in ${pluralize(count, 'browser')}`,
  x: () => 'the permission to post on X',
};

/** Such as 'Ended 2 sessions, 1 key, the webhook.' */
function describeEnded(counts: Ended['counts']): string {
  const ended = WAY_KINDS.flatMap((kind) => (counts[kind] ? [LABELS[kind](counts[kind])] : []));
  return ended.length === 0 ? 'Nothing was left to end.' : `Ended ${ended.join(', ')}.`;
}
