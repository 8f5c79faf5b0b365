import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { useDraft } from '#web/lib/drafts.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { FoundToken } from './found-token.tsx';
import { findActiveCall, liveTokenQuery, lookupProblem } from './token-lookup.ts';

export interface MakeCallCardProps {
  callerId: string;
  token: string | undefined;
  activeCalls: readonly TokenCall[] | undefined;
}

export function MakeCallCard({ callerId, token, activeCalls }: MakeCallCardProps) {
  const fieldRef = useRef<HTMLInputElement>(null);
  const { text, setText, mint, lookup, problem, submit } = useTokenLookup(token);
  const startOver = () => {
    setText('');
    // The focused button disappears together with the token, so focus the text field.
    fieldRef.current?.focus();
  };
  return (
    <Card title="Make a Token Call" description="We fetch the entry price when you make the call.">
      <form noValidate onSubmit={submit}>
        <Field label="Token address" error={problem}>
          <div className="flex gap-2">
            <Input
              ref={fieldRef}
              className="font-mono"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="Mint address"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <Button
              type="submit"
              isPending={mint !== null && lookup.isFetching && !lookup.data}
              pendingText="Looking up..."
            >
              Look up
            </Button>
          </div>
        </Field>
      </form>
      {mint !== null && lookup.data && (
        <FoundToken
          key={mint}
          token={lookup.data}
          callerId={callerId}
          activeCall={findActiveCall(activeCalls, lookup.data)}
          onCalled={startOver}
        />
      )}
      {mint !== null && lookup.isPending && (
        <SkeletonGroup label="Looking up token…" className="mt-4">
          <Skeleton className="h-24 w-full" />
        </SkeletonGroup>
      )}
    </Card>
  );
}

interface TypedToken {
  readonly text: string;
  /** The submitted text; `null` before the first submission and after each edit. */
  readonly submitted: string | null;
}

/** @param token looked up at once; undefined continues with what was typed before */
function useTokenLookup(token: string | undefined) {
  const draft = useDraft<TypedToken>(
    'token',
    { text: token ?? '', submitted: token?.trim() ?? null },
    { isFresh: token !== undefined },
  );
  const { text, submitted } = draft.value;
  const mint = submitted === '' ? null : submitted;
  const lookup = useQuery(liveTokenQuery(mint));
  const hasFailed = mint !== null && lookup.isError && !lookup.data;
  const failure = hasFailed ? lookupProblem(lookup.error) : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = text.trim();
    draft.change({ text, submitted: next });
    if (next !== '' && next === mint) void lookup.refetch();
  };
  const changeText = (next: string) => {
    // Hide the token of the old text, so that it isn't called by mistake.
    draft.change({ text: next, submitted: null });
  };
  const problem = submitted === '' ? 'Please enter a token address' : failure;
  return { text, setText: changeText, mint, lookup, problem, submit };
}
