import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ChatInvitation } from '#schema/contracts/telegram-access.ts';
import { explainFailure } from '#web/api/api-error.ts';
import { acceptInvitationMutation, invitationQuery } from '#web/api/chat-access.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { SignInFirst } from '#web/lib/session/sign-in-first.tsx';
import { SUBSCRIBE_HASH } from '#web/lib/text/subscribe-hash.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';

/** Leads a person who asks to join a caller's chat on Telegram to the subscription. */
export function JoinPage({ token }: { token: string }) {
  const { data: user, isPending } = useQuery(currentUserQuery);
  return (
    <div className="desk max-w-xl py-8">
      <h1 className="sr-only">Join a chat on Telegram</h1>
      {isPending && LOADING}
      {!isPending && !user && (
        <Card title="Join a chat on Telegram">
          <SignInFirst purpose="connect your Telegram account and subscribe" />
        </Card>
      )}
      {user && <Invitation token={token} />}
    </div>
  );
}

const LOADING = <SkeletonBars label="Loading the invitation" bars={['h-48']} />;

function Invitation({ token }: { token: string }) {
  const query = useQuery(invitationQuery(token));
  if (query.isPending) return LOADING;
  if (!query.data) return <LoadFailed what="this invitation" query={query} />;
  return <Accept token={token} invitation={query.data} />;
}

function Accept({ token, invitation }: { token: string; invitation: ChatInvitation }) {
  const { title, kind, telegramName, callerUsername, isReplacing } = invitation;
  const navigate = useNavigate();
  const accept = useMutation({
    ...acceptInvitationMutation,
    onSuccess: async ({ hasAccess }, ...rest) => {
      await acceptInvitationMutation.onSuccess?.({ callerUsername, hasAccess }, ...rest);
      await navigate({
        to: '/caller/$username',
        params: { username: callerUsername },
        hash: hasAccess ? '' : SUBSCRIBE_HASH,
        replace: true,
      });
    },
  });
  return (
    <Card
      title={<bdi>{title}</bdi>}
      description={`A ${kind} on Telegram for subscribers of @${callerUsername}`}
    >
      <div className="space-y-4 text-sm">
        <p>
          The Telegram account <bdi className="font-semibold">{telegramName}</bdi> asked to join. Continue
          only if this account is yours: it gets in while you subscribe, and the bot writes to it.
        </p>
        {isReplacing && (
          <p>
            It replaces the Telegram account that you have connected, which leaves the chats of your callers.
          </p>
        )}
        {accept.isError && (
          <p role="alert" className="text-loss">
            {explainFailure(accept.error, "Couldn't connect Telegram. Try again.")}
          </p>
        )}
        <Button
          variant="primary"
          className="w-full"
          isPending={accept.isPending}
          pendingText="Connecting..."
          onClick={() => accept.mutate(token)}
        >
          Connect this Telegram and subscribe to @{callerUsername}
        </Button>
      </div>
    </Card>
  );
}
