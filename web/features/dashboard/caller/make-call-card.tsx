import { useRef, useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import { Card } from '#web/ui/lists/card.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { Address } from '#web/ui/figures/address.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { TokenField } from './token-field.tsx';
import { findActiveCall } from './token-lookup.ts';
import { useTokenField } from './use-token-field.ts';
import { CallForm, type TimedPrice } from './call-form.tsx';
import { TokenFacts } from './token-facts.tsx';

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

interface FoundTokenProps {
  token: TokenLookup;
  callerId: string;
  activeCall: TokenCall | null;
  onCalled: () => void;
}

export function FoundToken({ token, callerId, activeCall, onCalled }: FoundTokenProps) {
  const [moved, setMoved] = useState<TimedPrice | null>(null);
  const price = moved ?? (token.price === null ? null : { price: token.price, at: token.at });
  return (
    <div className="mt-4 space-y-4 rounded-md border border-line p-3 sm:p-4">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar src={token.logoURI} name={token.symbol} shape="token" />
        <div className="min-w-0">
          <p className="flex items-baseline gap-1.5">
            <span dir="auto" className="truncate font-semibold">
              {token.name}
            </span>
            <span className="max-w-3/5 shrink-0 truncate text-sm text-text-muted">{token.symbol}</span>
          </p>
          <Address value={token.mint} label="token address" isFull />
        </div>
      </div>
      <TokenFacts token={token} price={price} />
      {activeCall !== null && <AlreadyCalled mint={token.mint} activeCall={activeCall} />}
      {activeCall === null && price === null && <Unpriced />}
      {activeCall === null && price !== null && (
        <CallForm
          token={token}
          callerId={callerId}
          price={price}
          hasMoved={moved !== null}
          onMoved={(to) => setMoved({ price: to, at: new Date().toISOString() })}
          onCalled={onCalled}
        />
      )}
    </div>
  );
}

function AlreadyCalled({ mint, activeCall }: { mint: string; activeCall: TokenCall }) {
  return (
    <>
      <Button disabled className="w-full">
        Already Called
      </Button>
      {activeCall.tokenMint !== mint && (
        <p className="text-sm text-text-muted">
          You already have an active <bdi>{activeCall.tokenSymbol}</bdi> call on a different mint:{' '}
          <Address value={activeCall.tokenMint} label="token address of your active call" />
        </p>
      )}
    </>
  );
}

function Unpriced() {
  const explain = () =>
    toast({
      title: 'Error',
      description: 'Failed to fetch current price for token call',
      variant: 'destructive',
    });
  return (
    <Button className="w-full" onClick={explain}>
      Make Call
    </Button>
  );
}
