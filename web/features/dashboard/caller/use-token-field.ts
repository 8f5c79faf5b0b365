import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { TOKEN_SEARCH_MAX_LENGTH, TOKEN_SEARCH_MIN_LENGTH } from '#schema/constants/prices.ts';
import type { FoundToken, LookAlike } from '#schema/contracts/prices.ts';
import { isPublicKey } from '#schema/rules/text/base58.ts';
import { useDraft } from '#web/lib/session/drafts.ts';
import { explainFailure } from '#web/api/api-error.ts';
import { tokenSearchQuery } from '#web/api/tokens.queries.ts';
import { liveTokenQuery, lookupProblem, withLookAlike } from './token-lookup.ts';

const TYPING_PAUSE_MS = 300;
const NONE: readonly FoundToken[] = [];

type TypedKind = 'nothing' | 'address' | 'short' | 'words' | 'long';

function kindOf(text: string): TypedKind {
  if (text === '') return 'nothing';
  if (isPublicKey(text)) return 'address';
  if (text.length < TOKEN_SEARCH_MIN_LENGTH) return 'short';
  return text.length > TOKEN_SEARCH_MAX_LENGTH ? 'long' : 'words';
}

interface TypedToken {
  readonly text: string;
  /** The submitted text; null before the first submission and after each edit. */
  readonly submitted: string | null;
  readonly lookAlike: LookAlike | null;
}

/**
 * One field for a mint, a name or a symbol. Typed words start a search. A mint or a chosen token is looked up.
 * @param initial a mint to look up at once; if undefined, continues with the text that was typed before
 */
export function useTokenField(initial: string | undefined) {
  const draft = useDraft<TypedToken>(
    'token',
    { text: initial ?? '', submitted: initial?.trim() ?? null, lookAlike: null },
    { isFresh: initial !== undefined },
  );
  const { text, submitted, lookAlike: chosenLookAlike } = draft.value;
  const typed = text.trim();
  const kind = kindOf(typed);
  const mint = kind === 'address' && submitted === typed ? typed : null;
  const lookup = useQuery(liveTokenQuery(mint));
  const search = useSearch(kind === 'words' ? typed : null, submitted === typed);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    draft.change({ ...draft.value, submitted: typed });
    if (mint !== null) void lookup.refetch();
    if (search.isError) void search.refetch();
  };
  const changeText = (next: string) => {
    // Hide the token of the old text, so that it isn't called by mistake.
    draft.change({ text: next, submitted: null, lookAlike: null });
  };
  const choose = ({ mint: chosen, lookAlike }: FoundToken) => {
    draft.change({ text: chosen, submitted: chosen, lookAlike });
  };

  const hasLookupFailed = mint !== null && lookup.isError && !lookup.data;
  const isLookingUp = mint !== null && lookup.isFetching && !lookup.data;
  return {
    text,
    changeText,
    choose,
    submit,
    mint,
    token: mint !== null && lookup.data ? withLookAlike(lookup.data, chosenLookAlike) : null,
    isLookingUp,
    isSearching: search.isSearching,
    found: search.found,
    problem: hasLookupFailed
      ? lookupProblem(lookup.error)
      : (submitProblem(kind, submitted) ?? search.problem),
    isTooShort: kind === 'short',
  };
}

function submitProblem(kind: TypedKind, submitted: string | null): string | null {
  if (kind === 'long') return 'Token not found';
  if (submitted === null) return null;
  if (kind === 'nothing') return 'Please enter a token address';
  return kind === 'short' ? `Type at least ${TOKEN_SEARCH_MIN_LENGTH} characters.` : null;
}

/** Searches once typing pauses, or at once if the text was submitted. Null disables the search. */
function useSearch(words: string | null, isSubmitted: boolean) {
  const [paused, setPaused] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(words), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const isDue = words !== null && (isSubmitted || paused === words);
  const { data, isError, error, isFetching, refetch } = useQuery({
    ...tokenSearchQuery(words ?? ''),
    enabled: isDue,
  });
  const hasFailed = isDue && isError && !isFetching;
  const found = isDue && !hasFailed ? data : undefined;
  return {
    isSearching: words !== null && found === undefined && !hasFailed,
    found: found ?? NONE,
    isError: hasFailed,
    problem: hasFailed ? explainFailure(error, 'Failed to lookup token') : noneFound(found),
    refetch,
  };
}

const noneFound = (found: readonly FoundToken[] | undefined) =>
  found?.length === 0 ? 'Token not found' : null;
