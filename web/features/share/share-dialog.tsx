import { SHARE_IMAGE } from '#schema/constants.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import type { OtherWays } from './post-manually.tsx';
import { ShareForm } from './share-form.tsx';
import { describeShareImage, type EndedCall } from './share-text.ts';

export interface ShareDialogProps {
  call: EndedCall;
  /** The call's image, a PNG as a data URL. */
  imageDataUrl: string;
  /** Whether we may post on X for this person, as far as is known. */
  canPostOnX: boolean;
  /** What somebody could choose from who went to X and came back without having allowed it. */
  declinedWays?: OtherWays | null;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** The image of an ended call, the text that goes with it, and what can be done with both. */
export function ShareDialog({
  call,
  imageDataUrl,
  canPostOnX,
  declinedWays = null,
  open,
  onOpenChange,
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
      />
    </Dialog>
  );
}
