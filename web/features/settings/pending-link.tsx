import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { TELEGRAM_START_LINK_MS } from '#schema/constants/messages.ts';
import { withAtSign } from '#schema/rules/people/telegram.ts';
import { hasCode } from '#web/api/api-error.ts';
import { connectTelegramMutation } from '#web/api/telegram.queries.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { OpenBot } from '#web/lib/telegram/open-bot.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';

/** Saves a username, if there is one, and requests a link. The server sends each link once, so a reload needs a new one. */
export function useStartLink(isConnected: boolean) {
  const link = useMutation({
    ...connectTelegramMutation,
    onError: (error) => {
      if (!hasCode(error, 'auth.fresh_sign_in_needed')) showError(error, 'Failed to connect Telegram');
    },
  });
  const { reset } = link;
  useEffect(() => {
    // Forget a used link, because it works only once.
    if (isConnected) reset();
  }, [isConnected, reset]);
  return link;
}

export interface PendingLinkProps {
  handle: string | null;
  link: ReturnType<typeof useStartLink>;
  onChange: () => void;
}

export function PendingLink({ handle, link, onChange }: PendingLinkProps) {
  const { data, submittedAt, isPending, mutate } = link;
  const expiresAt = submittedAt + TELEGRAM_START_LINK_MS;
  const now = useNow(expiresAt);
  // If another tab or device has saved another handle, its link has replaced this one.
  const isUsable = data?.telegramHandle === handle && now < expiresAt;
  return (
    <div className="space-y-4">
      {handle !== null && <p className="font-medium wrap-anywhere">{withAtSign(handle)}</p>}
      {isUsable ? (
        <OpenBot key={data.startUrl} startUrl={data.startUrl} />
      ) : (
        <p className="text-sm text-text-muted">
          To connect, get a new link to the bot and press Start there. A link is shown once and works for a
          day.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={isUsable ? 'secondary' : 'primary'}
          className="flex-1"
          isPending={isPending}
          pendingText="Getting..."
          onClick={() => mutate(handle ?? '')}
        >
          Get a new link
        </Button>
        <Button variant="ghost" className="flex-1" onClick={onChange}>
          Change username
        </Button>
      </div>
    </div>
  );
}
