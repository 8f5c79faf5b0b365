import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { DeleteAccountDialog, YOUR_DATA_ANCHOR } from './delete-account-dialog.tsx';

/** Downloads everything that is stored about the user, or deletes the account. */
export function YourDataCard({ user, className }: { user: CurrentUser; className?: string }) {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Card title="Your Data" id={YOUR_DATA_ANCHOR} className={className}>
      <p className="text-sm text-text-muted">
        Download everything that we store about you as one JSON file. The{' '}
        <Link to="/privacy" className="underline decoration-line-strong underline-offset-4">
          privacy notice
        </Link>{' '}
        says what we store and why.
      </p>
      <LinkButton href="/api/user/export" className="mt-4 w-full">
        Export my data
      </LinkButton>
      <Button variant="ghost" className="mt-2 w-full" onClick={() => setIsDeleting(true)}>
        Delete my account
      </Button>
      <DeleteAccountDialog user={user} open={isDeleting} onOpenChange={setIsDeleting} />
    </Card>
  );
}
