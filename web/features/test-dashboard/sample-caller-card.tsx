import { useState } from 'react';
import { WALLET_PREFIX_LENGTH } from '#schema/constants.ts';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { initialOf } from '#web/lib/people/person.ts';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { sampleCaller, sampleStats } from './sample-data.ts';
import { SubmitCallerDialog } from './submit-caller-dialog.tsx';

export function SampleCallerCard() {
  const [isSubmitting, setIsSubmitting] = useState(false);
  return (
    <Card title="Your Caller Profile">
      <div className="flex items-center gap-3">
        <Avatar src={sampleCaller.profileImageUrl} letter={initialOf(sampleCaller, 'C')} />
        <div className="min-w-0">
          <p className="truncate font-semibold">{fullName(sampleCaller)}</p>
          <p className="truncate text-xs text-text-muted">@{sampleCaller.twitterHandle}</p>
        </div>
      </div>
      <dl className="my-4 grid grid-cols-2 gap-x-4 border-y border-line py-4 [&>div>dd]:mt-0.5 [&>div>dd]:text-base [&>div>dd]:font-semibold [&>div>dt]:text-xs [&>div>dt]:text-text-muted">
        <div>
          <dt>Monthly Fee</dt>
          <dd className="figures">{formatMonthlyFee(sampleStats.subscriptionPrice)}</dd>
        </div>
        <div>
          <dt>Wallet</dt>
          <dd className="font-mono" title={sampleStats.walletAddress}>
            {sampleStats.walletAddress.slice(0, WALLET_PREFIX_LENGTH)}
          </dd>
        </div>
      </dl>
      <Button variant="primary" className="w-full" onClick={() => setIsSubmitting(true)}>
        Submit Caller
      </Button>
      <SubmitCallerDialog open={isSubmitting} onOpenChange={setIsSubmitting} />
    </Card>
  );
}
