import { DIRECTORY_TITLE } from './document-title.ts';
import { formatChange, shortenAddress } from './format.ts';
import { fullName, shownHandle, type HasName } from '../people/person-name.ts';
import { oneLine } from './visible-text.ts';

/** Fixed pages by route path. Search engines may index a page if `isPublic` is true. */
export const PAGES = {
  '/': { title: DIRECTORY_TITLE, isPublic: true },
  '/recent-calls': { title: 'Recent Calls', isPublic: true },
  '/how-we-count': { title: 'How We Count', isPublic: true },
  '/sealed-calls': { title: 'How Sealed Calls Work', isPublic: true },
  '/terms': { title: 'Terms', isPublic: true },
  '/privacy': { title: 'Privacy', isPublic: true },
  '/risk': { title: 'Risks', isPublic: true },
  '/compare': { title: 'Compare Callers', isPublic: false },
  '/dashboard': { title: 'Dashboard', isPublic: false },
  '/settings': { title: 'Settings', isPublic: false },
  '/settings/sign-ins': { title: 'Sign-ins and API Keys', isPublic: false },
  '/settings/notifications': { title: 'Notifications', isPublic: false },
  '/settings/wallets': { title: 'Wallets', isPublic: false },
  '/settings/webhook': { title: 'Webhook', isPublic: false },
  '/settings/data': { title: 'Your Data', isPublic: false },
  '/portfolio': { title: 'Portfolio', isPublic: false },
  '/payments': { title: 'Payments', isPublic: false },
  '/payments/earnings': { title: 'Earnings', isPublic: false },
  '/payments/:signature': { title: 'Receipt', isPublic: false },
  '/test-dashboard': { title: 'Test Dashboard', isPublic: false },
} as const;

export type PagePath = keyof typeof PAGES;

export const TITLES = {
  caller: 'Caller',
  missingCaller: 'Caller Not Found',
  call: 'Call',
  missingCall: 'Call Not Found',
  token: 'Token',
  missingToken: 'Token Not Found',
  missingPage: 'Page Not Found',
  operators: 'Operators',
} as const;

export function callerTitle(caller: HasName): string {
  return oneLine(fullName(caller)) || shownHandle(caller);
}

interface NamedCall {
  readonly caller: HasName;
  readonly tokenSymbol: string;
  readonly tokenMint: string;
  readonly changePercent?: number;
}

/** The title of a call's page: 'BONK +50.0% by Ada Byron', or 'BONK by Ada Byron' for an active call. */
export function callTitle({ caller, tokenSymbol, tokenMint, changePercent }: NamedCall): string {
  const change = changePercent === undefined ? [] : [formatChange(changePercent)];
  return [oneLine(tokenSymbol) || shortenAddress(tokenMint), ...change, 'by', callerTitle(caller)].join(' ');
}

export function tokenTitle({ symbol, mint }: { symbol: string; mint: string }): string {
  return `${oneLine(symbol) || shortenAddress(mint)} calls`;
}
