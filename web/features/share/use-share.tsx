import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { Share2 } from '#web/ui/icons.tsx';
import { generateShareImageMutation } from '#web/api/shares.queries.ts';
import { hasEnded, type EndedCall } from '#web/lib/calls/ended-call.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import type { PostFallbackUrls } from './post-manually.tsx';
import { takeResumed } from './share-drafts.ts';

/** Loaded on demand, because few visits share a call. */
const ShareDialog = lazyDialog(async () => (await import('./share-dialog.tsx')).ShareDialog);

interface SharedCall {
  readonly call: EndedCall;
  readonly imageDataUrl: string;
  readonly declinedWays: PostFallbackUrls | null;
}

/** Lets callers share their own ended calls. Render `dialog` once. It reopens after the user returns from X. */
export function useShare(user: CurrentUser | null | undefined): {
  renderShare: (call: TokenCall) => ReactNode;
  dialog: ReactNode;
} {
  const callerId = user?.id;
  const canPostOnX = user?.canPostOnX === true;
  const [shared, setShared] = useState<SharedCall | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const { mutate, isPending, variables } = useMutation(generateShareImageMutation);
  const share = useCallback(
    (call: EndedCall, declinedWays: PostFallbackUrls | null = null) =>
      mutate(call.id, {
        onSuccess: (imageDataUrl) => {
          setShared({ call, imageDataUrl, declinedWays });
          setIsOpen(true);
        },
        onError: () =>
          toast({
            title: 'Preview Failed',
            description: 'Unable to generate share preview',
            variant: 'destructive',
          }),
      }),
    [mutate],
  );
  useEffect(() => {
    const resumed = callerId === undefined ? null : takeResumed(callerId);
    if (resumed && hasEnded(resumed.call)) share(resumed.call, canPostOnX ? null : resumed.ways);
  }, [callerId, canPostOnX, share]);
  const renderShare = useCallback(
    (call: TokenCall) =>
      call.callerId === callerId && hasEnded(call) ? (
        <Button
          size="sm"
          aria-label={`Share ${call.tokenSymbol}`}
          isPending={isPending && variables === call.id}
          onClick={() => !isPending && share(call)}
        >
          <Share2 aria-hidden="true" size={16} />
          <span className="max-[23rem]:hidden">Share</span>
        </Button>
      ) : null,
    [callerId, isPending, variables, share],
  );
  const dialog = shared !== null && shared.call.callerId === callerId && (
    <ShareDialog
      key={shared.call.id}
      {...shared}
      canPostOnX={canPostOnX}
      open={isOpen}
      onOpenChange={setIsOpen}
      onImageChange={(imageDataUrl) => setShared({ ...shared, imageDataUrl })}
    />
  );
  return { renderShare, dialog };
}
