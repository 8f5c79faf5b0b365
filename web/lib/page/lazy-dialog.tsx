import { useEffect, useEffectEvent, useState, type ComponentType } from 'react';
import { SLOW_CONNECTION_MS } from '#schema/constants/web.ts';
import { noResponseReason } from '#web/api/api-error.ts';
import { checkConnection } from '#web/api/connection.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';

export interface LazyDialogProps {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/**
 * A dialog whose code loads when it first opens. If loading fails, the dialog closes and a toast says why.
 * Browsers remember a failed import, so once the server responds, the toast offers to reload the page.
 * (`React.lazy` would replace the whole page with the error.)
 */
export function lazyDialog<Props extends LazyDialogProps>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | null = null;
  return function LazyDialog(props: Props) {
    const { open, onOpenChange } = props;
    const [Dialog, setDialog] = useState(() => loaded);
    const showSlowNotice = useEffectEvent(() => toast(SLOW));
    const fail = useEffectEvent((isReachable: boolean) => {
      onOpenChange(false);
      toast(isReachable ? MISSING : { ...NOT_OPENED, description: noResponseReason() });
    });
    const isMissing = open && Dialog === null;
    useEffect(() => {
      if (!isMissing) return undefined;
      let isGone = false;
      const timer = setTimeout(showSlowNotice, SLOW_CONNECTION_MS);
      const start = async () => {
        try {
          loaded = await load();
          if (!isGone) setDialog(() => loaded);
        } catch {
          const isReachable = await checkConnection();
          if (!isGone) fail(isReachable);
        } finally {
          clearTimeout(timer);
        }
      };
      void start();
      return () => {
        isGone = true;
        clearTimeout(timer);
      };
    }, [isMissing]);
    return Dialog && <Dialog {...props} />;
  };
}

const SLOW = {
  title: 'The connection is slow',
  description: 'Still loading. This opens in a moment.',
} as const;

const NOT_OPENED = { title: "Couldn't open this", variant: 'destructive' } as const;

/**
 * Toast if the server responds but the code didn't load: the connection failed earlier, or a newer version
 * has replaced the file.
 */
const MISSING = {
  ...NOT_OPENED,
  description: "This part of the page didn't load. Reload the page, then try again.",
  action: { label: 'Reload the page', onClick: () => window.location.reload() },
} as const;
