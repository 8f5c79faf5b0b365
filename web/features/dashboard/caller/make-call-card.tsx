import { useRef } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { Card } from '#web/ui/lists/card.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { FoundToken } from './found-token.tsx';
import { TokenField } from './token-field.tsx';
import { findActiveCall } from './token-lookup.ts';
import { useTokenField } from './use-token-field.ts';

export interface MakeCallCardProps {
  callerId: string;
  token: string | undefined;
  activeCalls: readonly TokenCall[] | undefined;
}

export function MakeCallCard({ callerId, token: initial, activeCalls }: MakeCallCardProps) {
  const fieldRef = useRef<HTMLInputElement>(null);
  const field = useTokenField(initial);
  const { mint, token, isLookingUp } = field;
  const startOver = () => {
    field.changeText('');
    // The focused button disappears together with the token, so move the focus to the text field.
    fieldRef.current?.focus();
  };
  return (
    <Card title="Make a Token Call" description="We fetch the entry price when you make the call.">
      <TokenField fieldRef={fieldRef} field={field} />
      {token !== null && (
        <FoundToken
          key={mint}
          token={token}
          callerId={callerId}
          activeCall={findActiveCall(activeCalls, token)}
          onCalled={startOver}
        />
      )}
      {isLookingUp && <SkeletonBars label="Looking up token…" className="mt-4" bars={['h-24']} />}
    </Card>
  );
}
