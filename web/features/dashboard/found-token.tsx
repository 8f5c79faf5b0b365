import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice, TokenLookup } from '#schema/contracts/prices.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { createCallMutation } from '#web/api/calls.mutations.ts';
import { Address } from '#web/ui/address.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { CallTermsFields } from './call-terms-fields.tsx';
import {
  findTermProblems,
  NO_TERMS,
  refusedTermOf,
  type CallTerms,
  type TermProblems,
} from './call-terms.ts';
import { TokenFacts } from './token-facts.tsx';
import { movedPriceOf, toCreateCall } from './token-lookup.ts';

export interface FoundTokenProps {
  token: TokenLookup;
  callerId: string;
  /** The active call that stands in the way. */
  activeCall: TokenCall | null;
  onCalled: () => void;
}

type TimedPrice = Pick<ShownPrice, 'price' | 'at'>;

/** What was found, and what one may do about it. A price that moved meanwhile is shown and asked about again. */
export function FoundToken({ token, callerId, activeCall, onCalled }: FoundTokenProps) {
  const [moved, setMoved] = useState<TimedPrice | null>(null);
  const price = moved ?? (token.price === null ? null : { price: token.price, at: token.at });
  return (
    <div className="mt-4 space-y-4 rounded-md border border-line p-3 sm:p-4">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar src={token.logoURI} letter={token.symbol} shape="token" />
        <div className="min-w-0">
          <p className="flex items-baseline gap-1.5">
            <span dir="auto" className="truncate font-semibold">
              {token.name}
            </span>
            <span className="max-w-3/5 shrink-0 truncate text-sm text-text-muted">{token.symbol}</span>
          </p>
          <Address value={token.mint} label="mint" isFull />
        </div>
      </div>
      <TokenFacts token={token} price={price} />
      {activeCall !== null ? (
        <AlreadyCalled mint={token.mint} activeCall={activeCall} />
      ) : price === null ? (
        <Unpriced />
      ) : (
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
          You have an active call of <bdi>{activeCall.tokenSymbol}</bdi> on another mint:{' '}
          <Address value={activeCall.tokenMint} label="mint of your active call" />
        </p>
      )}
    </>
  );
}

function Unpriced() {
  const { toast } = useToast();
  return (
    <Button
      className="w-full"
      onClick={() =>
        toast({
          title: 'Error',
          description: 'Failed to fetch current price for token call',
          variant: 'destructive',
        })
      }
    >
      Make Call
    </Button>
  );
}

interface CallFormProps extends Omit<FoundTokenProps, 'activeCall'> {
  price: TimedPrice;
  hasMoved: boolean;
  onMoved: (price: string) => void;
}

function CallForm({ token, callerId, price, hasMoved, onMoved, onCalled }: CallFormProps) {
  const { toast } = useToast();
  const createCall = useMutation(createCallMutation(useQueryClient()));
  const foldRef = useRef<HTMLDetailsElement>(null);
  const [terms, setTerms] = useState<CallTerms>(NO_TERMS);
  const [isTried, setIsTried] = useState(false);
  /** What the server said of these terms: it knows the price better. */
  const [refused, setRefused] = useState<TermProblems>({});
  const problems = { ...findTermProblems(terms, price.price), ...refused };

  const showProblems = (found: TermProblems) => {
    setIsTried(true);
    if (foldRef.current) foldRef.current.open = true;
    // What is wrong is marked a moment later.
    setTimeout(() => foldRef.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
    return found;
  };
  const call = async () => {
    const found = findTermProblems(terms, price.price);
    if (Object.keys(found).length > 0) {
      showProblems(found);
      return;
    }
    try {
      const created = await createCall.mutateAsync(
        toCreateCall({ token, entryPrice: price.price, callerId, terms }),
      );
      toast({
        title: 'Token Call Created',
        description: `${created.tokenSymbol} is active on your record now.`,
      });
      onCalled();
    } catch (error) {
      const movedPrice = movedPriceOf(error);
      const refusal = refusedTermOf(error);
      if (movedPrice !== null) onMoved(movedPrice);
      else if (refusal !== null) setRefused(showProblems(refusal));
      else {
        toast({
          title: 'Error',
          description: reasonOf(error, 'Failed to create token call'),
          variant: 'destructive',
        });
      }
    }
  };

  return (
    <>
      <CallTermsFields
        foldRef={foldRef}
        terms={terms}
        onChange={(next) => {
          setTerms(next);
          setRefused({});
          setIsTried(false);
        }}
        price={price.price}
        problems={problems}
        isTried={isTried}
      />
      {hasMoved && (
        <p role="alert" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
          The price moved since you saw it. It is <Price value={price.price} /> now. Nothing was recorded:
          look again and confirm.
        </p>
      )}
      <Button
        variant="primary"
        className="w-full"
        isPending={createCall.isPending}
        pendingText="Calling..."
        onClick={() => void call()}
      >
        {hasMoved ? 'Make Call at the new price' : 'Make Call'}
      </Button>
    </>
  );
}
