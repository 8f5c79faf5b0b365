import { SHARE_IMAGE } from '#schema/constants.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import type { OtherWays } from './post-manually.tsx';
import { ShareForm } from './share-form.tsx';
import { describeShareImage, type EndedCall } from './share-text.ts';

export interface ShareDialogProps {
  call: EndedCall;
  /** PNG as a data URL. */
  imageDataUrl: string;
  /** Whether SolCallers may post on X for the user, as last known. */
  canPostOnX: boolean;
  declinedWays?: OtherWays | null;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Called with the new image if the server's image has changed. */
  onImageChange: (imageDataUrl: string) => void;
}

export function ShareDialog({
  call,
  imageDataUrl,
  canPostOnX,
  declinedWays = null,
  open,
  onOpenChange,
  onImageChange,
}: ShareDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Share Your Call" size="lg">
      <img
        src={imageDataUrl}
        alt={describeShareImage(call)}
        width={SHARE_IMAGE.width}
        height={SHARE_IMAGE.height}
        className="mb-4 h-auto w-full rounded-md border border-line"
      />
      <ShareForm
        call={call}
        imageDataUrl={imageDataUrl}
        canPostOnX={canPostOnX}
        declinedWays={declinedWays}
        onDone={() => onOpenChange(false)}
        onImageChange={onImageChange}
      />
    </Dialog>
  );
}
