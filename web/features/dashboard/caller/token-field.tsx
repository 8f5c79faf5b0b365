import { useId, useState, type KeyboardEvent, type RefObject } from 'react';
import { TOKEN_SEARCH_MIN_LENGTH } from '#schema/constants/prices.ts';
import type { FoundToken } from '#schema/contracts/prices.ts';
import { pluralize, formatMarketCap, shortenAddress } from '#schema/rules/text/format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { TriangleAlert } from '#web/ui/icons.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';
import type { useTokenField } from './use-token-field.ts';

type TokenFieldState = ReturnType<typeof useTokenField>;

export interface TokenFieldProps {
  fieldRef: RefObject<HTMLInputElement | null>;
  field: TokenFieldState;
}

/** A combobox for a mint, a name or a symbol. Enter without a chosen option submits the text. */
export function TokenField({ fieldRef, field }: TokenFieldProps) {
  const { text, found, problem, isTooShort, isSearching } = field;
  const listId = useId();
  const { active, setActive, isOpen, close, reset } = useOptions(found);
  const choose = (token: FoundToken) => {
    reset();
    field.choose(token);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key];
    const chosen = isOpen ? found[active] : undefined;
    if (isOpen && move) {
      event.preventDefault();
      setActive(move(active, found.length));
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      choose(chosen);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    }
  };
  const hint = isTooShort
    ? `Type at least ${TOKEN_SEARCH_MIN_LENGTH} characters, or paste a token address.`
    : null;
  return (
    <form noValidate onSubmit={field.submit}>
      <Field label="Find a token" hint={problem === null ? hint : null} error={problem}>
        <div className="flex gap-2">
          <Input
            ref={fieldRef}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen && active >= 0 ? optionIdOf(listId, active) : undefined}
            placeholder="Name, symbol or address"
            value={text}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              reset();
              field.changeText(event.target.value);
            }}
          />
          <Button type="submit" isPending={field.isLookingUp} pendingText="Looking up...">
            Look up
          </Button>
        </div>
      </Field>
      {isSearching && (
        <SkeletonBars label="Searching tokens…" className="mt-2 space-y-2" bars={['h-16', 'h-16']} />
      )}
      <p role="status" className="sr-only">
        {isOpen && `${pluralize(found.length, 'token')} found`}
      </p>
      {isOpen && <FoundTokensList id={listId} tokens={found} active={active} onChoose={choose} />}
    </form>
  );
}

/** Returns the active option's index (-1: none) and whether the list is open. Escape closes it until the text changes. */
function useOptions(found: readonly FoundToken[]) {
  const [active, setActive] = useState(-1);
  const [isClosed, setIsClosed] = useState(false);
  const change = (closes: boolean) => {
    setActive(-1);
    setIsClosed(closes);
  };
  const isOpen = !isClosed && found.length > 0;
  return { active, setActive, isOpen, close: () => change(true), reset: () => change(false) };
}

const moves: Readonly<Record<string, ((active: number, count: number) => number) | undefined>> = {
  ArrowDown: (active, count) => (active + 1) % count,
  ArrowUp: (active, count) => (active <= 0 ? count - 1 : active - 1),
};

interface FoundTokensListProps {
  id: string;
  tokens: readonly FoundToken[];
  active: number;
  onChoose: (token: FoundToken) => void;
}

const optionIdOf = (listId: string, index: number) => `${listId}-${index}`;

const scrollToActive = (option: HTMLElement | null) => option?.scrollIntoView?.({ block: 'nearest' });

/** The list of a combobox. The focus stays in the text field. */
function FoundTokensList({ id, tokens, active, onChoose }: FoundTokensListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Tokens"
      className="mt-2 max-h-112 divide-y divide-line overflow-y-auto rounded-md border border-line-strong"
    >
      {tokens.map((token, index) => (
        <button
          key={token.mint}
          ref={index === active ? scrollToActive : null}
          id={optionIdOf(id, index)}
          type="button"
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // A click on an option must not take the focus from the text field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(token)}
          className={classNames(
            'flex w-full items-start gap-3 p-3 text-left hover:bg-surface-hover',
            index === active && 'bg-surface-hover outline-2 -outline-offset-2 outline-accent-text',
          )}
        >
          <FoundTokenOption token={token} />
        </button>
      ))}
    </div>
  );
}

function FoundTokenOption({ token }: { token: FoundToken }) {
  const { mint, symbol, name, logoURI, isVerified, lookAlike } = token;
  return (
    <>
      <Avatar src={logoURI} name={symbol} size="sm" shape="token" />
      <span className="min-w-0 flex-1 space-y-0.5 text-xs text-text-muted *:block">
        <span className="flex! min-w-0 items-center gap-1.5">
          <span dir="auto" className="truncate text-sm font-medium text-text">
            {name}
          </span>
          <bdi className="max-w-2/5 shrink-0 truncate">{symbol}</bdi>
          {isVerified === true && <VerifiedMark size={14} />}
        </span>
        <span className="font-mono break-all">{mint}</span>
        <span>{describeMarket(token)}</span>
        {lookAlike !== null && <LookAlikeWarning lookAlike={lookAlike} />}
      </span>
    </>
  );
}

function LookAlikeWarning({ lookAlike }: { lookAlike: NonNullable<FoundToken['lookAlike']> }) {
  const { symbol, name, mint, isVerified } = lookAlike;
  return (
    <span className="flex! items-start gap-1.5 font-medium text-warn">
      <TriangleAlert size={14} className="mt-px shrink-0" />
      <span className="min-w-0">
        Looks like <bdi>{name}</bdi> (<bdi>{symbol}</bdi>), {isVerified ? 'verified' : 'better known'},
        address <span className="font-mono whitespace-nowrap">{shortenAddress(mint)}</span>
      </span>
    </span>
  );
}

function describeMarket({ liquidityUsd, marketCapUsd, isVerified }: FoundToken): string {
  const amount = (usd: number | null) => (usd === null ? 'unknown' : formatMarketCap(usd));
  return [
    `Liquidity ${amount(liquidityUsd)}`,
    ...(marketCapUsd === null ? [] : [`market cap ${amount(marketCapUsd)}`]),
    ...(isVerified === false ? ['not verified'] : []),
  ].join(', ');
}
