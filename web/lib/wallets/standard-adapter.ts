import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignInFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base';
import type { SignedText, WalletAdapter } from './wallet-adapter.ts';
import {
  createCannotSignTextError,
  createConnectFailedError,
  createNotConnectedError,
  createOtherAccountError,
  WalletError,
} from './wallet-errors.ts';

interface Features
  extends
    Partial<SolanaSignTransactionFeature>,
    Partial<SolanaSignAndSendTransactionFeature>,
    Partial<SolanaSignMessageFeature>,
    Partial<SolanaSignInFeature> {
  readonly 'standard:connect': {
    connect(input?: { readonly silent?: boolean }): Promise<{ readonly accounts: readonly WalletAccount[] }>;
  };
  readonly 'standard:disconnect'?: { disconnect(): Promise<void> };
  readonly 'standard:events'?: {
    on(
      event: 'change',
      listener: (changed: { readonly accounts?: readonly WalletAccount[] }) => void,
    ): () => void;
  };
}

const SIGN_TRANSACTION = 'solana:signTransaction';
const SIGN_AND_SEND = 'solana:signAndSendTransaction';
const PAYING_FEATURES = [SIGN_TRANSACTION, SIGN_AND_SEND] as const;
const SIGN_MESSAGE = 'solana:signMessage';
const DEFAULT_CHAIN = 'solana:mainnet';
const TEST_CHAINS: readonly string[] = ['solana:devnet', 'solana:testnet'];

/** True if a wallet can connect and sign a Solana transaction, even if it can't sign without sending. */
export function canPay(wallet: Wallet): boolean {
  return (
    'standard:connect' in wallet.features &&
    PAYING_FEATURES.some((feature) => feature in wallet.features) &&
    wallet.chains.some(isSolana)
  );
}

const IMAGE_DATA = /^data:image\/(?:svg\+xml|png|webp|gif|jpeg)[;,]/;

/** The wallet's icon. Null unless it's an image as a data URL, because it may be any text. */
export function readIcon({ icon }: Wallet): string | null {
  return typeof icon === 'string' && IMAGE_DATA.test(icon) ? icon : null;
}

export function createStandardAdapter(
  wallet: Wallet,
  identity: { readonly id: string; readonly name: string; readonly installUrl?: string },
): WalletAdapter {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The Wallet Standard defines each feature's type by its name.
  const features = wallet.features as unknown as Features;
  const { [SIGN_MESSAGE]: signMessage, 'solana:signIn': signIn, 'standard:events': events } = features;
  const pick = (accounts: readonly WalletAccount[]) =>
    pickAccount(accounts, features[SIGN_TRANSACTION] ? SIGN_TRANSACTION : SIGN_AND_SEND);
  let account: WalletAccount | null = null;

  const connectedAccount = (): WalletAccount => {
    if (account === null) throw createNotConnectedError();
    return account;
  };

  return {
    ...identity,
    icon: readIcon(wallet),

    async connect({ silent }) {
      const { accounts } = await features['standard:connect'].connect(silent ? { silent } : undefined);
      account = pick(accounts) ?? pick(wallet.accounts);
      if (account === null) throw createConnectFailedError();
      const testChain = findTestChain(account);
      if (testChain !== null) {
        account = null;
        const network = testChain.replace('solana:', '');
        throw new WalletError(
          `${identity.name} is set to Solana's ${network}. Choose Mainnet in its settings, then try again.`,
        );
      }
      return account.address;
    },

    async disconnect() {
      account = null;
      await features['standard:disconnect']?.disconnect();
    },

    ...createSigning({ features, name: identity.name, connectedAccount }),

    ...(signMessage && {
      async signMessage(message: Uint8Array): Promise<SignedText> {
        const from = connectedAccount();
        if (!from.features.includes(SIGN_MESSAGE)) throw createCannotSignTextError(identity.name);
        const { signedMessage, signature } = firstOf(
          await signMessage.signMessage({ account: from, message }),
        );
        return { signedMessage, signature };
      },
    }),

    ...(signIn && {
      async signIn(request: Parameters<NonNullable<WalletAdapter['signIn']>>[0]): Promise<SignedText> {
        const { account: signer, signedMessage, signature } = firstOf(await signIn.signIn(request));
        // Check the address, because the standard lets a wallet sign in with another account.
        if (signer.address !== request.address) throw createOtherAccountError(identity.name);
        return { signedMessage, signature };
      },
    }),

    onAccountChange(listener) {
      const stop = events?.on('change', ({ accounts }) => {
        if (accounts === undefined) return;
        account = pick(accounts);
        listener(account?.address ?? null);
      });
      return () => stop?.();
    },
  };
}

interface SigningOptions {
  readonly features: Features;
  readonly name: string;
  readonly connectedAccount: () => WalletAccount;
}

/** Creates the methods for signing. Signing and sending is only for wallets that can't sign alone. */
function createSigning({
  features,
  name,
  connectedAccount,
}: SigningOptions): Pick<WalletAdapter, 'signTransaction' | 'signAndSendTransaction'> {
  const { [SIGN_TRANSACTION]: signAlone, [SIGN_AND_SEND]: signAndSend } = features;
  const requestFor = (transaction: Uint8Array) => {
    const account = connectedAccount();
    return { account, transaction, chain: pickChain(account) };
  };
  return {
    async signTransaction(transaction) {
      const request = requestFor(transaction);
      if (!signAlone) throw new WalletError(`${name} can't sign a transaction without sending it.`);
      const [output] = await signAlone.signTransaction(request);
      if (!output) throw new TypeError('The wallet returned no signed transaction.');
      return output.signedTransaction;
    },

    ...(signAndSend &&
      !signAlone && {
        async signAndSendTransaction(transaction: Uint8Array): Promise<void> {
          await signAndSend.signAndSendTransaction(requestFor(transaction));
        },
      }),
  };
}

/** The first Solana account with the feature. Some wallets list the accounts of every chain. */
function pickAccount(accounts: readonly WalletAccount[], feature: IdentifierString): WalletAccount | null {
  return accounts.find(({ chains, features }) => chains.some(isSolana) && features.includes(feature)) ?? null;
}

/** Mainnet if the account supports it. A wallet of a local cluster doesn't. */
function pickChain(account: WalletAccount): IdentifierString {
  const offered = account.chains.filter(isSolana);
  return offered.includes(DEFAULT_CHAIN) ? DEFAULT_CHAIN : (offered[0] ?? DEFAULT_CHAIN);
}

/** Returns the test network of an account that can only be used on test networks, where SOL is worthless. */
function findTestChain(account: WalletAccount): string | null {
  const offered = account.chains.filter(isSolana);
  return offered.every((chain) => TEST_CHAINS.includes(chain)) ? (offered[0] ?? null) : null;
}

export function isSolana(chain: string): boolean {
  return chain.startsWith('solana:');
}

function firstOf<Output extends SignedText>([output]: readonly Output[]): Output {
  if (!output) throw new TypeError('The wallet returned no signature.');
  return output;
}
