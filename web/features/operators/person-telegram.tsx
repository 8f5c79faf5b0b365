import { useQuery } from '@tanstack/react-query';
import type { PersonTelegram } from '#schema/contracts/operators.ts';
import { personTelegramQuery } from '#web/api/operators.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { type Fact, Facts } from './actions.tsx';

const CHATS: Readonly<Record<PersonTelegram['chat'], string>> = {
  none: 'No handle saved',
  pending: 'Handle saved, but Start was never pressed or the chat was lost',
  connected: 'Connected',
};

const RESULTS: Readonly<Record<PersonTelegram['messages'][number]['result'], string>> = {
  delivered: 'Delivered',
  unreachable: 'The chat blocks the bot or no longer exists',
  unwanted: 'Not sent: switched off, muted, no chat or no access',
  unsent: 'Failed for its whole lifetime',
  waiting: 'Waiting for this time',
};

const wordsOf = (kind: string) => kind.replaceAll('_', ' ');

export function PersonTelegramFacts({ id }: { id: string }) {
  return (
    <ListState query={useQuery(personTelegramQuery(id))} what="Telegram" skeletons={1}>
      {(telegram) => (
        <div className="space-y-3">
          <Facts facts={factsOf(telegram)} />
          {telegram.messages.length === 0 ? (
            <p className="text-sm text-text-muted">No messages in the last 30 days.</p>
          ) : (
            <ul aria-label="Last messages" className="space-y-1 text-xs">
              {telegram.messages.map(({ kind, at, result }) => (
                <li key={`${at} ${kind} ${result}`}>
                  <time dateTime={at}>{formatMinute(at)}</time>
                  {`: ${wordsOf(kind)}. ${RESULTS[result]}`}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </ListState>
  );
}

function factsOf({ chat, connectedAt, switchedOff, muted }: PersonTelegram): readonly Fact[] {
  const since = connectedAt === null ? '' : ` since ${formatMinute(connectedAt)}`;
  return [
    ['Chat', `${CHATS[chat]}${since}`],
    ['Switched off', switchedOff.map(wordsOf).join(', ') || 'nothing'],
    ['Muted', muted.map((handle) => `@${handle}`).join(', ') || 'nobody'],
  ];
}
