import type { TokenCall } from '#schema/contracts/calls.ts';
import { isPublicKey } from '#schema/rules/text/base58.ts';

type NamedCall = Pick<TokenCall, 'tokenSymbol' | 'tokenMint'>;

interface FoundCalls<Call> {
  readonly named: readonly Call[];
  readonly rest: string;
}

/** A token's symbol may itself begin with `$`. */
const withoutSign = (text: string) => text.trim().replace(/^[$#]/, '');
/** Ends a name, such as `: `. The minus of `-5%` isn't part of it. */
const SEPARATOR = /^[\s:,.–—-]*(?=\s|$)\s*/;
/** A symbol with `$`, but no amount such as `$500`. */
const CASHTAG = /^\$[^\s\d.,$]/;

/**
 * Finds the calls whose token's symbol or mint begins a text, in any case and with or without `$`. A longer name wins,
 * because a symbol may have several words.
 */
export function findNamed<Call extends NamedCall>(calls: readonly Call[], text: string): FoundCalls<Call> {
  const typed = withoutSign(text);
  const found = calls.map((call) => ({ call, length: nameLength(call, typed) }));
  const longest = Math.max(0, ...found.map(({ length }) => length));
  if (longest === 0) return { named: [], rest: text };
  const after = typed.slice(longest);
  return {
    named: found.filter(({ length }) => length === longest).map(({ call }) => call),
    rest: SEPARATOR.test(after) ? after.replace(SEPARATOR, '') : text,
  };
}

/** The name with which an update begins, if it names only a token without an active call. Else null. */
export function readInactiveName(
  named: readonly Pick<TokenCall, 'tokenSymbol' | 'isActive'>[],
  text: string,
): string | null {
  const [first] = named;
  if (first !== undefined) return named.some(({ isActive }) => isActive) ? null : first.tokenSymbol;
  const [word = ''] = text.trim().split(/\s/, 1);
  return CASHTAG.test(word) || isPublicKey(withoutSign(word)) ? word : null;
}

function nameLength({ tokenSymbol, tokenMint }: NamedCall, typed: string): number {
  const names = [tokenSymbol, tokenMint].map(withoutSign).filter((name) => {
    const isSame = typed.slice(0, name.length).toLowerCase() === name.toLowerCase();
    return isSame && !/^[\p{L}\p{M}\p{N}_]/u.test(typed.slice(name.length));
  });
  return Math.max(0, ...names.map(({ length }) => length));
}
