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

export interface Sharing {
  readonly renderShare: (call: TokenCall) => ReactNode;
}

export interface ShareRunnerProps {
  user: Pick<CurrentUser, 'id' | 'canPostOnX'>;
  onChange: (sharing: Sharing) => void;
}

/** Creates previews and shows the dialog, which reopens after the user returns from X. `useShare` loads it. */
export function ShareRunner({ user: { id: callerId, canPostOnX }, onChange }: ShareRunnerProps) {
  const [shared, setShared] = useState<{
    call: EndedCall;
    imageDataUrl: string;
    declinedWays: PostFallbackUrls | null;
  } | null>(null);
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
    const resumed = takeResumed(callerId);
    if (resumed && hasEnded(resumed.call)) share(resumed.call, canPostOnX ? null : resumed.ways);
  }, [callerId, canPostOnX, share]);
  useEffect(() => {
    const renderShare = (call: TokenCall) =>
      call.callerId === callerId && hasEnded(call) ? (
        <Button
          size="sm"
          aria-label={`Share ${call.tokenSymbol}`}
          isPending={isPending && variables === call.id}
          onClick={() => !isPending && share(call)}
        >
          <Share2 size={16} />
          <span className="max-[23rem]:hidden">Share</span>
        </Button>
      ) : null;
    onChange({ renderShare });
  }, [callerId, isPending, variables, share, onChange]);
  return (
    shared !== null && (
      <ShareDialog
        key={shared.call.id}
        {...shared}
        canPostOnX={canPostOnX}
        open={isOpen}
        onOpenChange={setIsOpen}
        onImageChange={(imageDataUrl) => setShared({ ...shared, imageDataUrl })}
      />
    )
  );
}
