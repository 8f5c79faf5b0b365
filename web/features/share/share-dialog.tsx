import { SHARE_IMAGE } from '#schema/constants/public.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { ShareForm, type ShareFormProps } from './share-form.tsx';
import { describeShareImage } from './share-text.ts';

export type ShareDialogProps = LazyDialogProps & Omit<ShareFormProps, 'onDone'>;

export function ShareDialog({ open, onOpenChange, ...share }: ShareDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Share Your Call" size="lg">
      <img
        src={share.imageDataUrl}
        alt={describeShareImage(share.call)}
        width={SHARE_IMAGE.width}
        height={SHARE_IMAGE.height}
        className="mb-4 h-auto w-full rounded-md border border-line"
      />
      <ShareForm {...share} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
