import { WAY_KINDS, type WayKind } from '#schema/constants/people.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import type { Live } from '../../../ports/live.ts';
import type { EndedWays, RevocableTokens } from './ways.repository.ts';

interface WaysOptions {
  readonly live: Pick<Live, 'peopleChanged'>;
  /** Revokes a deleted permission to post at X. */
  readonly revokeXTokens: (tokens: RevocableTokens) => Promise<unknown>;
}

export type WaysService = ReturnType<typeof createWaysService>;

/** The ways into a user's account: sessions, API keys, the webhook, Telegram, and the permission to post on X. */
export function createWaysService({ live, revokeXTokens }: WaysOptions) {
  return {
    /** Does what remains after `endWays`, and says what has ended. */
    async finish(userId: string, { counts, xTokens }: EndedWays): Promise<{ message: string }> {
      live.peopleChanged({ userIds: [userId], topic: 'sessions' });
      await Promise.all(xTokens.map(revokeXTokens));
      return { message: describeEnded(counts) };
    },
  };
}

const LABELS: Readonly<Record<WayKind, (count: number) => string>> = {
  session: (count) => pluralize(count, 'session'),
  key: (count) => pluralize(count, 'key'),
  webhook: () => 'the webhook',
  telegram: () => 'Telegram',
  x: () => 'the permission to post on X',
};

/** Such as 'Ended 2 sessions, 1 key, the webhook.' */
function describeEnded(counts: EndedWays['counts']): string {
  const ended = WAY_KINDS.flatMap((kind) => (counts[kind] ? [LABELS[kind](counts[kind])] : []));
  return ended.length === 0 ? 'Nothing was left to end.' : `Ended ${ended.join(', ')}.`;
}
