import { useEffect, useRef } from 'react';
import { FRESH_SIGN_IN_MS, MINUTE_MS } from '#schema/constants.ts';
import { useSignInUrl } from '#web/lib/use-sign-in-url.ts';
import { Button } from '#web/ui/button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';

/** Id of the payout wallet card, to which a fresh sign-in returns. */
export const PAYOUT_WALLET_ANCHOR = 'payout-wallet';

const MINUTES = FRESH_SIGN_IN_MS / MINUTE_MS;

/** Asks for a fresh sign-in before the payout wallet can change. */
export function SignInAgain({ onCancel }: { onCancel: () => void }) {
  const signInUrl = useSignInUrl(PAYOUT_WALLET_ANCHOR);
  const linkRef = useRef<HTMLAnchorElement>(null);
  // Focus the link, because the button that had the focus may be gone.
  useEffect(() => linkRef.current?.focus(), []);
  return (
    <div className="space-y-4">
      <p className="text-sm">
        To change your payout wallet, sign in again. You signed in more than {MINUTES} minutes ago, and an old
        session must not be able to redirect your earnings.
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
