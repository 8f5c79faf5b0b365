import { useEffect, useRef } from 'react';
import { FRESH_SIGN_IN_MS, MINUTE_MS } from '#schema/constants.ts';
import { useSignInUrl } from '#web/lib/use-sign-in-url.ts';
import { Button } from '#web/ui/button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';

/** The id of the payout wallet's card, which one comes back to. */
export const PAYOUT_WALLET_ANCHOR = 'payout-wallet';

const MINUTES = FRESH_SIGN_IN_MS / MINUTE_MS;

/** Why where one is paid cannot be changed yet, and the way to do it: sign in, and come back to the same place. */
export function SignInAgain({ onCancel }: { onCancel: () => void }) {
  const signInUrl = useSignInUrl(PAYOUT_WALLET_ANCHOR);
  const linkRef = useRef<HTMLAnchorElement>(null);
  // What was pressed may have made place for this.
  useEffect(() => linkRef.current?.focus(), []);
  return (
    <div className="space-y-4">
      <p className="text-sm">
        To change where you are paid, sign in again. You signed in more than {MINUTES} minutes ago, and an old
        session alone must not be enough to send your earnings somewhere else.
      </p>
      <p className="text-sm text-text-muted">
        Nothing has changed yet. You come back to this place and then have {MINUTES} minutes.
      </p>
      <div className="flex gap-2">
        <LinkButton ref={linkRef} variant="primary" className="flex-1" href={signInUrl}>
          Sign in again
        </LinkButton>
        <Button className="flex-1" onClick={onCancel}>
          Not now
        </Button>
      </div>
    </div>
  );
}
