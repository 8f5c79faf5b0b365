import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { exportData } from '#web/api/account.queries.ts';
import { keepAccountMutation } from '#web/api/users.queries.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { DeleteAccountDialog, YOUR_DATA_ANCHOR } from './delete-account-dialog.tsx';

export function YourDataCard({ user }: { user: CurrentUser }) {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Card title="Your Data" id={YOUR_DATA_ANCHOR}>
      <p className="text-sm text-text-muted">
        Download everything that we store about you as one JSON file. The{' '}
        <Link to="/privacy" className="link">
          privacy notice
        </Link>{' '}
        says what we store and why.
      </p>
      <ExportButton />
      {user.deletesAt === undefined ? (
        <Button variant="ghost" className="mt-2 w-full" onClick={() => setIsDeleting(true)}>
          Delete my account
        </Button>
      ) : (
        <RequestedDeletion deletesAt={user.deletesAt} />
      )}
      <DeleteAccountDialog user={user} open={isDeleting} onOpenChange={setIsDeleting} />
    </Card>
  );
}

function ExportButton() {
  const [rows, setRows] = useState(0);
  const { isPending, mutate } = useMutation({
    mutationFn: () => exportData(setRows),
    onMutate: () => setRows(0),
    onSuccess: saveFile,
    onError: (error) => showError(error, "Couldn't export your data. Try again in a minute."),
  });
  return (
    <Button
      className="mt-4 w-full"
      isPending={isPending}
      pendingText={rows === 0 ? 'Exporting...' : `Exporting... ${pluralize(rows, 'row')} so far`}
      onClick={() => mutate()}
    >
      Export my data
    </Button>
  );
}

function RequestedDeletion({ deletesAt }: { deletesAt: string }) {
  const keep = useMutation(keepAccountMutation);
  return (
    <div role="note" className="mt-4 space-y-3 rounded-md border border-warn p-3 text-sm">
      <p>
        <span className="font-medium text-warn">
          Your account will be deleted on {formatMinute(deletesAt)}.
        </span>{' '}
        Nobody can subscribe, and you can't make new calls. Open calls are ended on that day at the market
        price. Your email, Telegram chat, devices, API keys and webhook are already erased.
      </p>
      <p>
        <a href="/api/payments/earnings.csv" className="link">
          Your last receipt
        </a>{' '}
        lists under "Owed SOL" what you owe subscribers for time after that day.
      </p>
      <Button
        className="w-full"
        isPending={keep.isPending}
        onClick={() =>
          keep.mutate(undefined, {
            onError: (error) => showError(error, "Couldn't take the request back. Try again in a minute."),
          })
        }
      >
        Keep my account
      </Button>
    </div>
  );
}

/** Saves a file like a download. Its address stays valid, because some browsers read it after the click. */
function saveFile(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
}
