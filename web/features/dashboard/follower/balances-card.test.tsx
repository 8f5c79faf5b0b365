import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { STABLE_COIN_MINTS } from '#schema/rules/calls/stable-coin-mints.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenBalance, WalletBalance } from '#schema/contracts/wallets.ts';
import { type FakeRoutes, refuse } from '#web/testing/fake-api.ts';
import { click, findItems, hrefOf, textsOf } from '#web/testing/find-in-page.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { solPrice } from '#web/testing/samples.ts';
import { BalancesCard } from './balances-card.tsx';
import {
  activeCall,
  BONK,
  dashboardApi,
  savedWallet as wallet,
  WIF,
} from '#web/testing/dashboard-samples.ts';

const second = { ...wallet, id: 'w2', walletAddress: WIF, isPayout: false };
const BALANCES = 'GET /api/wallet/balances';

const token = (tokenSymbol: string, rawAmount: string, rest: Partial<TokenBalance> = {}): TokenBalance => ({
  tokenMint: `mint of ${tokenSymbol}`,
  tokenSymbol,
  tokenName: `The ${tokenSymbol}`,
  logoURI: null,
  amount: '',
  rawAmount,
  decimals: 2,
  ...rest,
});
const wif = token('WIF', '125050', { tokenMint: WIF });
const holding = (lamports: string, ...tokens: readonly TokenBalance[]): WalletBalance => ({
  walletAddress: '',
  sol: '',
  lamports,
  tokens,
});

function show({
  wallets = [wallet],
  balances = [holding('1500000000', wif)],
  activeCalls = [],
  api = {},
}: {
  wallets?: unknown;
  balances?: unknown;
  activeCalls?: readonly TokenCall[];
  api?: FakeRoutes;
} = {}) {
  return renderScreen(<BalancesCard hasPayout activeCalls={activeCalls} />, {
    api: { ...dashboardApi, 'GET /api/user/wallets': wallets, [BALANCES]: balances, ...api },
  });
}

const rows = () => findItems('Your Balances');
const texts = async () => textsOf(await rows());

describe('BalancesCard', () => {
  it('BalancesCard lists SOL with its value in dollars, and a token with a link to call it', async () => {
    show({ api: { 'GET /api/prices/sol': solPrice('150') } });
    await screen.findByText('≈ $225.00');
    expect(await texts()).toEqual(['SolanaSOL1.5000 SOL ≈ $225.00', 'WThe WIFWIF1,250.5 WIFCall']);
    expect(hrefOf('Call WIF')).toBe(`/dashboard?token=${WIF}`);
  });

  it('BalancesCard adds up the balances of all proven wallets', async () => {
    show({
      wallets: [wallet, second],
      balances: [holding('1', wif), holding('2999999999', token('DOGE', '5'), { ...wif, rawAmount: '50' })],
    });
    expect(await texts()).toEqual([
      'SolanaSOL3.0000 SOL',
      'WThe WIFWIF1,251 WIFCall',
      'DThe DOGEDOGE0.05 DOGECall',
    ]);
  });

  it('BalancesCard has no call link for stablecoins, wrapped SOL and NFTs', async () => {
    const [usdc = '', usdt = ''] = STABLE_COIN_MINTS;
    const tokens = [
      token('SOL', '1', { tokenMint: WRAPPED_SOL_MINT }),
      token('USDC', '1', { tokenMint: usdc }),
      token('USDT', '1', { tokenMint: usdt }),
      token('NFT', '1', { decimals: 0 }),
    ];
    show({ balances: [holding('0', ...tokens)] });
    expect(await rows()).toHaveLength(5);
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('BalancesCard shows Already Called for a token with an active call on the same symbol', async () => {
    show({ activeCalls: [{ ...activeCall, tokenMint: BONK, tokenSymbol: 'wif' }] });
    expect((await texts()).at(-1)).toBe('WThe WIFWIF1,250.5 WIFAlready Called');
    expect(screen.queryByRole('link')).toBeNull();
  });

  const many = (count: number) => [
    holding('0', ...Array.from({ length: count }, (_, index) => token(`T${index}`, '100'))),
  ];

  it.each([
    [6, 7, false],
    [7, 6, true],
  ])(
    'BalancesCard for %i tokens shows %i rows including SOL (Show all button: %s)',
    async (count, rowCount, isCut) => {
      show({ balances: many(count) });
      expect(await rows()).toHaveLength(rowCount);
      if (isCut) {
        click(`Show all ${count} tokens`);
        expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Your Balances' }));
      }
      expect(await rows()).toHaveLength(count + 1);
      expect(screen.queryByRole('button')).toBeNull();
    },
  );

  it('BalancesCard shows a hint for a wallet without tokens', async () => {
    show({ balances: [holding('0')] });
    expect(await texts()).toEqual(['SolanaSOL0.0000 SOL']);
    expect(screen.getByText(/No tokens yet/)).toBeDefined();
  });

  it('BalancesCard shows a skeleton while wallets load, if the account has a payout wallet', async () => {
    show({ wallets: () => new Promise<Response>(() => undefined) });
    expect(await screen.findByText('Loading your balances')).toBeDefined();
  });

  it.each<[string, unknown]>([
    ['no wallet', []],
    ['an unproven wallet', [{ ...wallet, isProven: false, isPayout: false }]],
    ['a failed wallet request', () => refuse(502, 'chain.unavailable', 'x')],
  ])('BalancesCard is hidden and requests no balances with %s', async (_what, wallets) => {
    const { routes } = show({ wallets });
    await waitFor(() => expect(screen.queryByRole('heading')).toBeNull());
    expect(routes()).not.toContain(BALANCES);
  });
});
