import type {
  CallerListItem,
  CallerProfile,
  Comparison,
  ComparisonQuery,
} from '#schema/contracts/callers.ts';
import type { CallDetail, TokenCall, TokenCalls } from '#schema/contracts/calls.ts';
import type { Status } from '#schema/contracts/status.ts';
import type { SolPrice } from '#schema/contracts/prices.ts';

export interface FirstRows<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** The API's responses to a visitor without a session. A page's HTML contains no other data. */
export interface PublicResponses {
  /** @throws an error for an invalid filter */
  callers(filter: Readonly<Record<string, unknown>>): Promise<FirstRows<CallerListItem>>;
  /** @throws an error for an invalid filter */
  endedCalls(filter: Readonly<Record<string, unknown>>): Promise<FirstRows<TokenCall>>;
  /** @throws an error for an invalid filter */
  comparison(filter: Pick<ComparisonQuery, 'callers' | 'amount' | 'since'>): Promise<Comparison>;
  caller(usernameOrId: string): Promise<CallerProfile>;
  callerHistory(callerId: string): Promise<FirstRows<TokenCall>>;
  call(id: string): Promise<CallDetail>;
  tokenCalls(mint: string): Promise<TokenCalls>;
  solPrice(): Promise<SolPrice>;
  status(): Promise<Status>;
}

export interface RenderRequest {
  readonly href: string;
  readonly now: number;
  readonly responses: PublicResponses;
}

export interface RenderedPage {
  readonly html: string;
  readonly data: string;
}

export interface OtherQuery {
  readonly redirectTo: string;
}

/**
 * Renders a public page as visitors without a session see it. Returns a redirect instead if the query isn't canonical
 * or has unknown parameters, because a shared cache would store each notation as another page.
 */
export type RenderPage = (request: RenderRequest) => Promise<RenderedPage | OtherQuery>;
