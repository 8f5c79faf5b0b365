import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TELEGRAM_START_LINK_MS } from '#schema/constants.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { connectTelegramMutation } from '#web/api/telegram.mutations.ts';
import { useToast } from '#web/ui/toast.tsx';

/** A link to the bot's Start, and what it was given for. */
export interface GivenLink {
  readonly startUrl: string;
  /** It connects no other username, and the account may have another by now. */
  readonly handle: string;
  /** Unix ms. */
  readonly until: number;
}

/** Saves a handle and hands on the link that was given for it; says why not where that failed. */
export function useAskForLink(onGiven: (link: GivenLink, message: string) => void): {
  askForLink: (handle: string) => Promise<void>;
  isPending: boolean;
} {
  const { toast } = useToast();
  const { mutateAsync, isPending } = useMutation(connectTelegramMutation(useQueryClient()));
  const askForLink = async (typed: string) => {
    // The server counts from a moment later: the link is never shown for longer than it works.
    const until = Date.now() + TELEGRAM_START_LINK_MS;
    try {
      const { message, telegramHandle: handle, startUrl } = await mutateAsync(typed);
      onGiven({ startUrl, handle, until }, message);
    } catch (error) {
      toast({
        title: 'Error',
        description: reasonOf(error, 'Failed to connect Telegram'),
        variant: 'destructive',
      });
    }
  };
  return { askForLink, isPending };
}
