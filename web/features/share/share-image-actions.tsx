import { Download, Link } from '#web/ui/more-icons.ts';
import { PRODUCT_NAME } from '#schema/constants.ts';
import { shareImagePath } from '#web/api/shares.queries.ts';
import type { EndedCall } from '#web/lib/calls/ended-call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { useToast } from '#web/ui/overlays/toast.tsx';

export function ShareImageActions({ call }: { call: EndedCall }) {
  const { toast } = useToast();
  const path = shareImagePath(call.id);
  const copy = async () => {
    const link = `${window.location.origin}${path}`;
    try {
      await navigator.clipboard.writeText(link);
      toast({ title: 'Image link copied' });
    } catch {
      // The browser denied writing to the clipboard, so show the link.
      toast({ title: 'Copying was blocked', description: `Copy the link yourself: ${link}` });
    }
  };
  return (
    <div className="mr-auto flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1 max-sm:*:px-2">
      <LinkButton href={path} download={`${PRODUCT_NAME}-${call.tokenSymbol}.png`.toLowerCase()}>
        <Download aria-hidden="true" size={16} />
        Download image
      </LinkButton>
      <Button onClick={() => void copy()}>
        <Link aria-hidden="true" size={16} />
        Copy image link
      </Button>
    </div>
  );
}
