import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { createCallMutation } from '#web/api/calls.mutations.ts';
import { Address } from '#web/ui/address.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { movedPriceOf, toCreateCall } from './token-lookup.ts';

export interface FoundTokenProps {
  token: TokenLookup;
  callerId: string;
  /** The active call that stands in the way. */
  activeCall: TokenCall | null;
  onCalled: () => void;
}

/** What was found, and the button that calls it. A price that moved meanwhile is shown and asked about again. */
export function FoundToken({ token, callerId, activeCall, onCalled }: FoundTokenProps) {
  const { toast } = useToast();
  const createCall = useMutation(createCallMutation(useQueryClient()));
  const [movedPrice, setMovedPrice] = useState<string | null>(null);
  const price = movedPrice ?? token.price;

  const call = async (entryPrice: string) => {
    try {
      const created = await createCall.mutateAsync(toCreateCall({ token, entryPrice, callerId }));
      toast({ title: 'Token Call Created', description: `${created.tokenSymbol} is active on your record now.` });
      onCalled();
    } catch (error) {
      const moved = movedPriceOf(error);
      if (moved === null) toast({ title: 'Error', description: reasonOf(error, 'Failed to create token call'), variant: 'destructive' });
      else setMovedPrice(moved);
    }
  };

  return (
    <div className="mt-4 space-y-4 rounded-md border border-line p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar src={token.logoURI} letter={token.symbol} shape="token" />
          <div className="min-w-0">
            <p className="flex items-baseline gap-1.5">
              <span dir="auto" className="truncate font-semibold">{token.name}</span>
              <span className="max-w-3/5 shrink-0 truncate text-sm text-text-muted">{token.symbol}</span>
            </p>
            <Address value={token.mint} label="mint" />
          </div>
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-sm [&>dd]:text-right [&>dt]:text-text-muted">
          <dt>Price</dt>
          <dd>
            <Price value={price} />
          </dd>
          <dt>Liquidity</dt>
          <dd className="figures">{token.liquidityUsd === null ? '–' : `$${Math.round(token.liquidityUsd).toLocaleString('en-US')}`}</dd>
        </dl>
      </div>
      {movedPrice !== null && (
        <p role="alert" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
          The price moved since you saw it. It is <Price value={movedPrice} /> now. Nothing was recorded: look again and confirm.
        </p>
      )}
      {activeCall !== null ? (
        <>
          <Button disabled className="w-full">
            Already Called
          </Button>
          {activeCall.tokenMint !== token.mint && (
            <p className="text-sm text-text-muted">
              You have an active call of <bdi>{activeCall.tokenSymbol}</bdi> on another mint: <Address value={activeCall.tokenMint} label="mint of your active call" />
            </p>
          )}
        </>
      ) : price === null ? (
        <Button className="w-full" onClick={() => toast({ title: 'Error', description: 'Failed to fetch current price for token call', variant: 'destructive' })}>
          Make Call
        </Button>
      ) : (
        <Button variant="primary" className="w-full" isPending={createCall.isPending} pendingText="Calling..." onClick={() => void call(price)}>
          {movedPrice === null ? 'Make Call' : 'Make Call at the new price'}
        </Button>
      )}
    </div>
  );
}
