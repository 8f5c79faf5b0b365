import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { FoundToken } from './found-token.tsx';
import { findActiveCall, liveTokenQuery, lookupProblem } from './token-lookup.ts';

export interface MakeCallCardProps {
  callerId: string;
  /** A mint to look up at once. */
  token: string | undefined;
  activeCalls: readonly TokenCall[] | undefined;
}

/** Look a token up by its address, see what it is, call it. */
export function MakeCallCard({ callerId, token, activeCalls }: MakeCallCardProps) {
  const fieldRef = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(token ?? '');
  /** What was asked for; '' is an empty question, `null` is none. */
  const [asked, setAsked] = useState<string | null>(token?.trim() ?? null);
  const mint = asked === '' ? null : asked;
  const lookup = useQuery(liveTokenQuery(mint));
  const problem =
    asked === ''
      ? 'Please enter a token address'
      : mint !== null && lookup.isError && !lookup.data
        ? lookupProblem(lookup.error)
        : null;

  const look = (event: FormEvent) => {
    event.preventDefault();
    const next = text.trim();
    setAsked(next);
    if (next !== '' && next === mint) void lookup.refetch();
  };
  const startOver = () => {
    setText('');
    setAsked(null);
    // The button that made the call is gone with the token.
    fieldRef.current?.focus();
  };

  return (
    <Card
      title="Make a Token Call"
      description="The entry price is fetched by our server at the moment you call."
    >
      <form noValidate onSubmit={look}>
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
              onChange={(event) => {
                setText(event.target.value);
                // Another text is another token: what was found before is no longer what would be called.
                setAsked(null);
              }}
            />
            <Button
              type="submit"
              isPending={mint !== null && lookup.isFetching && !lookup.data}
              pendingText="Looking..."
            >
              Lookup
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
        <SkeletonGroup label="Looking the token up" className="mt-4">
          <Skeleton className="h-24 w-full" />
        </SkeletonGroup>
      )}
    </Card>
  );
}
