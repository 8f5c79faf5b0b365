import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { textsOf } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { useConnectWallet } from './use-wallet.ts';
import { WalletList } from './wallet-list.tsx';
import { ADDRESS_B, fakeAccount, fakeStandardWallet } from './wallet-test-doubles.ts';

function List() {
  const connect = useConnectWallet();
  return <WalletList useLabel="Use it" onUse={vi.fn()} onPick={(id) => void connect(id)} />;
}

/** Shows a wallet named Glow. `connect` decides how attempts to connect end. */
function show(connect = async () => ({ accounts: [fakeAccount(ADDRESS_B)] })) {
  const disconnect = vi.fn(async () => {});
  const { wallet } = fakeStandardWallet({
    name: 'Glow',
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'standard:disconnect': { version: '1.0.0', disconnect },
    },
  });
  const features = { 'standard:connect': {}, 'solana:signMessage': {} };
  renderScreen(<List />, { wallets: [wallet, { ...wallet, name: 'Writer', features }] });
  return { disconnect };
}

const row = (name: string) =>
  screen.getAllByRole('listitem').find((item) => item.textContent.includes(name)) as HTMLElement;
const pick = () => fireEvent.click(within(row('Glow')).getByRole('button'));
const fail =
  (code: number, message = 'x') =>
  async () => {
    throw Object.assign(new Error(message), { code });
  };

it('the list of wallets marks detected and missing wallets, and says why a wallet can’t be used', () => {
  show();
  expect(row('Glow').textContent).toContain('Detected');
  expect(row('Phantom').textContent).toContain('Not installed');
  expect(row('Writer').textContent).toContain("Can't be used here");
  expect(row('Writer').textContent).toContain("Can't sign Solana transactions.");
  expect(within(row('Writer')).queryByRole('button')).toBeNull();
});

it.each([
  ['is locked', fail(4100), "Glow is locked or doesn't allow this site. Unlock it, then try again."],
  ['is busy', fail(-32002), 'Glow is showing another request. Finish or close it, then try again.'],
  [
    'is on another network',
    fail(4901),
    "Glow can't reach Solana or is set to another network. Choose Mainnet in its settings.",
  ],
  [
    'only has a devnet account',
    async () => ({ accounts: [fakeAccount(ADDRESS_B, ['solana:devnet'])] }),
    "Glow is set to Solana's devnet. Choose Mainnet in its settings, then try again.",
  ],
])('the list of wallets shows a reason beside a wallet that %s', async (_what, connect, reason) => {
  show(connect);
  pick();
  await expectToast('Connection failed', reason);
  expect(row('Glow').textContent).toContain('Not ready');
  expect(within(row('Glow')).getByRole('status').textContent).toBe(reason);
});

it('the list of wallets marks the connected wallet, and shows a toast when the user disconnects it', async () => {
  const { disconnect } = show();
  pick();
  const connected = within(await screen.findByRole('group', { name: 'Connected wallet' }));
  expect(connected.getByText('Glow')).toBeTruthy();
  expect(row('Glow').textContent).toContain('Connected');
  fireEvent.click(connected.getByRole('button', { name: 'Disconnect Glow' }));
  await expectToast('Wallet disconnected', 'Glow is no longer connected in this browser.');
  expect(disconnect).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Connected wallet' })).toBeNull());
  expect(screen.queryByRole('button', { name: 'Use it' })).toBeNull();
  expect(row('Glow').textContent).toContain('Detected');
});

describe('the list of wallets on a phone', () => {
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Safari/604.1';
  const showOnPhone = () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iphone);
    renderScreen(
      <WalletList useLabel="Use it" onUse={vi.fn()} onPick={vi.fn()} page="https://s.example/a#b" />,
    );
  };

  it('the list of wallets on a phone begins with the wallets whose app can open this page', () => {
    showOnPhone();
    const names = textsOf(screen.getAllByRole('listitem')).map((text) => text.replace(/(Open|No).*/, ''));
    expect(names).toEqual(['Phantom', 'Solflare', 'Backpack', 'Magic Eden', 'Coinbase Wallet']);
  });

  it('the list of wallets on a phone opens this page in the apps of Phantom, Solflare and Backpack', () => {
    showOnPhone();
    expect(screen.getByText(/Open this page in your wallet's app/)).toBeTruthy();
    for (const name of ['Phantom', 'Solflare', 'Backpack']) {
      const link = within(row(name)).getByRole<HTMLAnchorElement>('link', { name: /Open in wallet/ });
      expect(link.href).toContain(`/${encodeURIComponent('https://s.example/a#b')}?ref=`);
      expect(link.target).toBe('');
    }
    expect(within(row('Coinbase Wallet')).getByRole('link').textContent).toContain('Install');
    expect(within(row('Magic Eden')).queryByRole('link')).toBeNull();
    expect(row('Magic Eden').textContent).toContain('No longer offered by its maker');
  });
});
