import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice, TokenLookup } from '#schema/contracts/prices.ts';
import { unrankedReasons } from '#schema/rules/calls/unranked-text.ts';
import { createCallMutation } from '#web/api/calls.mutations.ts';
import { useDraft } from '#web/lib/session/drafts.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { CallTermsFields } from './call-terms-fields.tsx';
import {
  findTermProblems,
  NO_TERMS,
  refusedTermOf,
  toPostedTerms,
  type CallTerms,
  type TermProblems,
} from './call-terms.ts';
import { priceFromMovedError } from './token-lookup.ts';

export type TimedPrice = Pick<ShownPrice, 'price' | 'at'>;

export interface CallFormProps {
  token: TokenLookup;
  callerId: string;
  price: TimedPrice;
  /** True if the server refused the last attempt because the price had moved. `price` is then the new price. */
  hasMoved: boolean;
  onMoved: (price: string) => void;
  onCalled: () => void;
}

export function CallForm(props: CallFormProps) {
  const { price, hasMoved } = props;
  const { fields, makeCall, isPending } = useMakeCall(props);
  return (
    <>
      <CallTermsFields {...fields} />
      {hasMoved && (
        <p role="alert" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
          The price changed to <Price value={price.price} />. Nothing was recorded. Check the new price, then
          press the button below.
        </p>
      )}
      <Button
        variant="primary"
        className="w-full"
        isPending={isPending}
        pendingText="Calling..."
        onClick={() => void makeCall()}
      >
        {hasMoved ? 'Make Call at the new price' : 'Make Call'}
      </Button>
    </>
  );
}

function useMakeCall({ token, callerId, price: { price }, onMoved, onCalled }: CallFormProps) {
  const createCall = useMutation(createCallMutation);
  const foldRef = useRef<HTMLDetailsElement>(null);
  const draft = useDraft<CallTerms>(`call.${token.mint}`, NO_TERMS);
  const terms = draft.value;
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [refused, setRefused] = useState<TermProblems>({});

  const showProblems = () => {
    setIsSubmitted(true);
    if (foldRef.current) foldRef.current.open = true;
    // Wait until the invalid field is rendered as such.
    setTimeout(() => foldRef.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  const handleError = (error: unknown) => {
    const movedPrice = priceFromMovedError(error);
    const refusal = refusedTermOf(error);
    if (movedPrice !== null) return onMoved(movedPrice);
    if (refusal === null) return showError(error, 'Failed to create token call');
    setRefused(refusal);
    return showProblems();
  };
  const makeCall = async () => {
    if (Object.keys(findTermProblems(terms, price)).length > 0) return showProblems();
    try {
      const created = await createCall.mutateAsync({
        tokenSymbol: token.symbol,
        tokenName: token.name,
        tokenMint: token.mint,
        logoURI: token.logoURI,
        entryPrice: price,
        callerId,
        ...toPostedTerms(terms),
      });
      draft.drop();
      toast({ title: 'Token Call Created', description: describeCreated(created) });
      return onCalled();
    } catch (error) {
      return handleError(error);
    }
  };
  const onChange = (next: CallTerms) => {
    draft.change(next);
    setRefused({});
    setIsSubmitted(false);
  };
  const problems = { ...findTermProblems(terms, price), ...refused };
  const fields = { foldRef, terms, onChange, price, problems, isSubmitted };
  return { fields, makeCall, isPending: createCall.isPending };
}

function describeCreated({ tokenSymbol, unrankedReason }: TokenCall): string {
  const text = `Your ${tokenSymbol} call is now active.`;
  return unrankedReason === null ? text : `${text} It's unranked: ${unrankedReasons[unrankedReason]}`;
}
