import { useEffect, useRef } from 'react';
import { FRESH_SIGN_IN_MS } from '#schema/constants/people.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { useSignInUrl } from '#web/lib/session/use-sign-in-url.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Dialog, type DialogProps } from '#web/ui/overlays/dialog.tsx';

const MINUTES = FRESH_SIGN_IN_MS / MINUTE_MS;

export interface SignInAgainProps {
  /** The action that needs a fresh sign-in, such as 'delete your account'. */
  action: string;
  /** The damage that a stolen session could do, such as 'redirect your earnings'. */
  danger: string;
  anchor: string;
  onCancel: () => void;
}

interface FreshSignInDialogProps
  extends
    Omit<DialogProps, 'title' | 'children'>,
    Partial<Pick<DialogProps, 'title' | 'children'>>,
    Omit<SignInAgainProps, 'onCancel'> {
  mustSignIn?: boolean;
}

/** Without content of its own, it only asks to sign in again. */
export function FreshSignInDialog(props: FreshSignInDialogProps) {
  const { mustSignIn = true, action, danger, anchor, title, children, ...dialog } = props;
  const close = () => dialog.onOpenChange(false);
  return (
    <Dialog {...dialog} title={mustSignIn ? 'Sign in again' : title}>
      {mustSignIn ? <SignInAgain {...{ action, danger, anchor }} onCancel={close} /> : children}
    </Dialog>
  );
}

export function SignInAgain({ action, danger, anchor, onCancel }: SignInAgainProps) {
  const signInUrl = useSignInUrl(anchor);
  const linkRef = useRef<HTMLAnchorElement>(null);
  // Focus the link, because the button that had the focus may be gone.
  useEffect(() => linkRef.current?.focus(), []);
  return (
    <div className="space-y-4">
      <p className="text-sm">
        To {action}, sign in again. You signed in more than {MINUTES} minutes ago, and an old session must not
        be able to {danger}.
      </p>
      <p className="text-sm text-text-muted">
        Nothing has changed yet. After signing in, you'll return here and have {MINUTES} minutes.
      </p>
      <div className="flex gap-2">
        <Button className="flex-1" onClick={onCancel}>
          Not now
        </Button>
        <LinkButton ref={linkRef} variant="primary" className="flex-1" href={signInUrl}>
          Sign in again
        </LinkButton>
      </div>
    </div>
  );
}
