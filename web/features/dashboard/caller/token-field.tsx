import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { TOKEN_SEARCH_MIN_LENGTH } from '#schema/constants.ts';
import type { FoundToken } from '#schema/contracts/prices.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { FoundTokensList, optionIdOf } from './found-tokens-list.tsx';
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
  const hint = isTooShort ? `Type at least ${TOKEN_SEARCH_MIN_LENGTH} characters, or paste a mint.` : null;
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
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="Name, symbol or mint"
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
      {isOpen && (
        <FoundTokensList
          id={listId}
          tokens={found}
          active={active}

          onChoose={choose}
        />
      )}
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
