import { useMutation, useQuery } from '@tanstack/react-query';
import { explainFailure } from '#web/api/api-error.ts';
import { joinLinksQuery } from '#web/api/chat-access.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { connectTelegramMutation } from '#web/api/telegram.queries.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { OpenBot } from './open-bot.tsx';

interface CallerChatsProps {
  caller: { readonly id: string; readonly monthlyFee: string | null };
}

/** Links to a caller's chats on Telegram. The bot lets subscribers into a Paid caller's chats if it knows their Telegram. */
export function CallerChats({ caller }: CallerChatsProps) {
  const { data: user } = useQuery(currentUserQuery);
  const { data: chats = [] } = useQuery(joinLinksQuery(caller.id));
  const connect = useMutation(connectTelegramMutation);
  if (chats.length === 0 || !user) return null;
  if (user.telegramConnected || isFreeCaller(caller)) {
    return (
      <div className="flex flex-wrap gap-2">
        {chats.map(({ kind, title, url }) => (
          <LinkButton key={kind} href={url} className="flex-1">
            <span>
              Open the {kind} <bdi>{title}</bdi>
            </span>
          </LinkButton>
        ))}
      </div>
    );
  }
  return (
    <div className="space-y-3 rounded-md border border-line p-4 text-sm">
      <p>
        To get into{' '}
        {chats.map(({ kind, title }, index) => (
          <span key={kind}>
            {index > 0 && ' and '}the {kind} <bdi className="font-semibold">{title}</bdi>
          </span>
        ))}
        , open the bot on Telegram and press Start once.
      </p>
      {connect.isError && (
        <p role="alert" className="text-loss">
          {explainFailure(connect.error, "Couldn't connect Telegram. Try again.")}
        </p>
      )}
      {connect.data ? (
        <OpenBot startUrl={connect.data.startUrl} />
      ) : (
        <Button
          variant="primary"
          className="w-full"
          isPending={connect.isPending}
          pendingText="Connecting..."
          onClick={() => connect.mutate(user.telegramHandle ?? '')}
        >
          Connect Telegram
        </Button>
      )}
    </div>
  );
}
