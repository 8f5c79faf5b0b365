import {
  ComputeBudgetProgram,
  Keypair,
  MessageV0,
  PublicKey,
  SystemProgram,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { MAX_LANDING_MS, CHAIN_CLOCK_SKEW_MS, INTENT_LIFETIME_MS } from '#schema/constants/money.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import { readResponse } from '../responses.ts';
import { createPaidCaller, proveWallet } from '../people/callers.ts';
import { createFundedWallet } from './chain.ts';
import {
  act,
  createLookupTable,
  createNonceAccount,
  extendTable,
  fundSeedAccount,
  legsOf,
  lighthouseGuard,
  mention,
  payment,
  platform,
  reallocate,
  signFor,
  type HostileEnvironment,
} from './hostile-transactions.ts';
import {
  closeTokenAccount,
  issueToken,
  openAccount,
  openSpareAccount,
  sendTokens,
  TOKEN_2022_PROGRAM,
  wrappedSol,
  wrapSol,
  type TokenKind,
} from '../people/tokens.ts';
import {
  openIntent,
  waitUntilConfirmed,
  signPayment,
  walletExtras,
  type PaymentChanges,
} from './payments.ts';
import type { Person, TestApp } from '../test-app.ts';
import { latestBlockhash, memo, naming, transfer } from './transactions.ts';

const CALLER_PART = 450_000_000n;
const PLATFORM_PART = 50_000_000n;

type Build = (environment: HostileEnvironment) => Uint8Array | Promise<Uint8Array>;
type Changes = Partial<Record<'before' | 'after', readonly TransactionInstruction[]>> &
  Parameters<typeof signFor>[2];
type Open = (app: TestApp) => Promise<HostileEnvironment>;
/** The result of sending the transaction through the product. */
type Sent = 'sent' | ErrorCode;
/**
 * The result of claiming the transaction after it was sent directly to the chain. `unlandable` if the cluster rejects
 * it.
 */
type Claimed = 'accepted' | 'unlandable' | ErrorCode;
type Row = readonly [name: string, sent: Sent, claimed: Claimed, build: Build, open: Open];

/** Defines transactions with the same results. Each name completes a sentence that begins with "A transaction". */
const rows = (
  sent: Sent,
  claimed: Claimed,
  builds: Readonly<Record<string, Build | { readonly build: Build; readonly open: Open }>>,
): Row[] =>
  Object.entries(builds).map(([name, row]) =>
    typeof row === 'function'
      ? [name, sent, claimed, row, openEnvironment]
      : [name, sent, claimed, row.build, row.open],
  );

export async function openEnvironment(app: TestApp, payout?: Keypair): Promise<HostileEnvironment> {
  const [paid, follower, payer] = await Promise.all([
    createPaidCaller(app, payout ? { payout } : {}),
    app.signIn('follower'),
    createFundedWallet(),
  ]);
  return { app, ...paid, follower, payer, terms: await openIntent(follower, paid.caller.id) };
}

const changed =
  (
    changes: PaymentChanges | ((environment: HostileEnvironment) => PaymentChanges | Promise<PaymentChanges>),
  ) =>
  async (environment: HostileEnvironment): Promise<Uint8Array> =>
    signPayment({
      ...environment,
      changes: typeof changes === 'function' ? await changes(environment) : changes,
    });
/** The page's payment without its memo, between other instructions, or signed in another way. */
const paying =
  (changes: (environment: HostileEnvironment) => Changes | Promise<Changes>) =>
  async (environment: HostileEnvironment): Promise<Uint8Array> => {
    const { before = [], after = [], ...signing } = await changes(environment);
    return signFor(environment, [...before, ...payment(environment), ...after], signing);
  };
const stranger = () => Keypair.generate().publicKey;

/** Creates an account of the System program. Both `from` and the account must sign. */
const fundAccount = (from: Keypair, { publicKey }: Keypair) =>
  SystemProgram.createAccount({
    fromPubkey: from.publicKey,
    newAccountPubkey: publicKey,
    lamports: Number(CALLER_PART),
    space: 0,
    programId: SystemProgram.programId,
  });

/** Signs instructions with one more account, which no instruction uses. */
function signWithAccount(
  environment: HostileEnvironment,
  instructions: readonly TransactionInstruction[],
  choose: (keys: readonly PublicKey[]) => PublicKey,
): Uint8Array {
  const { message } = VersionedTransaction.deserialize(signFor(environment, instructions, { version: 0 }));
  const { header, staticAccountKeys, recentBlockhash, compiledInstructions } = message as MessageV0;
  const transaction = new VersionedTransaction(
    new MessageV0({
      header: { ...header, numReadonlyUnsignedAccounts: header.numReadonlyUnsignedAccounts + 1 },
      staticAccountKeys: [...staticAccountKeys, choose(staticAccountKeys)],
      recentBlockhash,
      compiledInstructions,
      addressTableLookups: [],
    }),
  );
  transaction.sign([environment.payer]);
  return transaction.serialize();
}

const toOtherCaller = async ({ app, follower }: HostileEnvironment) => {
  const { caller } = await createPaidCaller(app, { handle: 'other_caller', fee: '0.7' });
  return openIntent(follower, caller.id);
};
const chooseWallet = async (caller: Person) => {
  const { walletAddress } = await proveWallet(caller, await createFundedWallet(1));
  await readResponse(caller.patch('/api/user/caller-profile', { walletAddress }));
  return walletAddress;
};
/** Both transfers also name another intent. */
const namingToo = (environment: HostileEnvironment, { intent }: OpenIntentResponse) =>
  signFor(
    environment,
    payment(environment).map((leg) => naming(leg, intent.reference)),
  );

/** The payment, and a transfer from another wallet that also signs. */
const refund = (
  sign: (environment: HostileEnvironment) => { from: Keypair; to: PublicKey; lamports: bigint },
): Build =>
  paying((environment) => {
    const { from, to, lamports } = sign(environment);
    return {
      after: [transfer({ from: from.publicKey, to, lamports })],
      signers: [environment.payer, from],
    };
  });

/** Opens an intent with a payout wallet that is also a Token-2022 account. */
async function openTokenPayout(app: TestApp): Promise<HostileEnvironment> {
  const [payer, payout, follower] = [
    await createFundedWallet(),
    Keypair.generate(),
    await app.signIn('follower'),
  ];
  const token = await issueToken({ issuer: payer, supply: 1n, decimals: 9, program: TOKEN_2022_PROGRAM });
  await act(
    [payer, payout],
    // The payer owns the token account.
    ...openSpareAccount({ token, owner: payer.publicKey, account: payout.publicKey }),
  );
  await waitUntilConfirmed(app);
  const { caller } = await createPaidCaller(app, { fee: '0.01', payout });
  // With this fee, the caller's nine tenths are 30,480 lamports. The rent that the token program moves is the
  // same amount.
  await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee: '0.000033866' }));
  return { app, caller, payout, follower, payer, terms: await openIntent(follower, caller.id) };
}

/** Pays both recipients the right amount, but in a token instead of SOL. */
async function payInTokens(environment: HostileEnvironment, token: TokenKind): Promise<Uint8Array> {
  const { payer, payout, terms } = environment;
  const from = payer.publicKey;
  const recipients = [payout, platform].map(({ publicKey }) => publicKey);
  await act([payer], ...recipients.map((owner) => openAccount({ token, owner, payer: from })));
  const legs = recipients.map((to, index) =>
    sendTokens({ token, from, to, amount: index === 0 ? CALLER_PART : PLATFORM_PART }),
  );
  return signFor(
    environment,
    legs.map((leg) => naming(leg, terms.intent.reference)),
  );
}

const reallocatePayout = ({ payout, payer: { publicKey } }: HostileEnvironment) =>
  reallocate({ account: payout.publicKey, payer: publicKey, owner: publicKey });

async function advanceNonce({ app, payer }: HostileEnvironment): Promise<TransactionInstruction> {
  const noncePubkey = await createNonceAccount(payer);
  await waitUntilConfirmed(app);
  return SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: payer.publicKey });
}

const guards = ({ payer }: HostileEnvironment) => ({
  before: [lighthouseGuard(payer.publicKey)],
  after: [lighthouseGuard(payer.publicKey)],
});
const everything = (environment: HostileEnvironment) => {
  const [extras, guard] = [walletExtras(environment.payer), guards(environment)];
  return { before: [...extras.before, ...guard.before], after: [...guard.after, ...extras.after] };
};

function padTo(environment: HostileEnvironment, length: number): Uint8Array {
  const build = (size: number) =>
    signFor(environment, [...payment(environment), memo('x'.repeat(size))], { version: 0 });
  const GUESS = 500;
  return build(GUESS + length - build(GUESS).length);
}

/** The payment's bytes, changed after it was signed. */
const forged = (change: (bytes: Uint8Array) => void) => (environment: HostileEnvironment) => {
  const bytes = signFor(environment, payment(environment), { version: 0 });
  change(bytes);
  return bytes;
};

const later = (milliseconds: number) =>
  paying(async ({ app }) => {
    await app.advance(milliseconds);
    return { blockhash: await latestBlockhash() };
  });

export const hostileTable: readonly Row[] = [
  ...rows('sent', 'accepted', {
    'is what the page builds': changed({}),
    'splits each transfer into two halves': (environment) => {
      const half = { callerLamports: String(CALLER_PART / 2n), platformLamports: String(PLATFORM_PART / 2n) };
      const halves = {
        ...environment,
        terms: { ...environment.terms, intent: { ...environment.terms.intent, ...half } },
      };
      return signFor(environment, [...payment(halves), ...legsOf(halves)]);
    },
    'pays the intent’s payout wallet after the caller has chosen another': changed(async ({ caller }) => {
      await chooseWallet(caller);
      return {};
    }),
    'also pays a stranger': changed(({ payer }) => ({
      after: [transfer({ from: payer.publicKey, to: stranger(), lamports: 1_000_000 })],
    })),
    'has its network fee paid by the payout wallet': paying(({ payout, payer }) => ({
      signers: [payout, payer],
    })),
    'has a priority fee, paid by the payout wallet, above the caller’s amount': paying(
      ({ payout, payer }) => ({
        before: [
          ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000 }),
          ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 500_000_000_000 }),
        ],
        signers: [payout, payer],
      }),
    ),
    'also has gifts from another wallet to caller and platform': paying(async ({ payout, payer }) => {
      const donor = await createFundedWallet();
      const before = [payout, platform].map(({ publicKey }) =>
        transfer({ from: donor.publicKey, to: publicKey, lamports: 7 }),
      );
      return { before, signers: [payer, donor] };
    }),
    'names the reference only in the platform’s transfer': (environment) =>
      signFor(environment, [
        legsOf(environment)[0],
        naming(legsOf(environment)[1], environment.terms.intent.reference),
      ]),
    'lists the reference among its accounts, but no instruction uses it': (environment) =>
      signWithAccount(
        environment,
        legsOf(environment),
        () => new PublicKey(environment.terms.intent.reference),
      ),
    'pays, and the payout wallet transfers to itself': refund(({ payout }) => ({
      from: payout,
      to: payout.publicKey,
      lamports: CALLER_PART,
    })),
    'pays, and a third wallet refunds the payer': async (environment) => {
      const from = await createFundedWallet();
      return refund(({ payer }) => ({ from, to: payer.publicKey, lamports: CALLER_PART }))(environment);
    },
    'also has other programs move the payer’s lamports to others': paying(async (environment) => {
      const [owner, payer] = [environment.payout.publicKey, environment.payer.publicKey];
      const table = await createLookupTable(environment, [stranger()]);
      return {
        before: [openAccount({ token: wrappedSol, owner, payer })],
        after: [extendTable(environment, table)],
      };
    }),
    'advances a nonce in a later instruction': paying(async (environment) => ({
      after: [await advanceNonce(environment)],
      blockhash: await latestBlockhash(),
    })),
    'has transfer instructions with extra bytes and accounts': (environment) => {
      const legs = payment(environment);
      for (const leg of legs) {
        leg.data = Buffer.concat([leg.data, Buffer.from([1, 2, 3])]);
        naming(leg, stranger().toBase58());
      }
      return signFor(environment, legs);
    },
    'has all harmless extras': changed(everything),
    'has all harmless extras as v0': changed((environment) => ({ ...everything(environment), version: 0 })),
    'is of version 1 and larger than earlier versions may be': changed(() => ({
      after: [memo('x'.repeat(2_000))],
      version: 1,
    })),
    'takes an unrelated account from a lookup table': paying(async (environment) => {
      const to = stranger();
      return {
        after: [transfer({ from: environment.payer.publicKey, to, lamports: 1_000_000 })],
        version: 0,
        tables: [await createLookupTable(environment, [to])],
      };
    }),
    'has the maximum length': (environment) => padTo(environment, 1232),
    'is signed in the last minute of its intent': later(INTENT_LIFETIME_MS - MINUTE_MS),
    'is signed after the price went up': async (environment) => {
      await readResponse(environment.caller.patch('/api/user/caller-profile', { monthlyFee: '5' }));
      return later(MINUTE_MS)(environment);
    },
  }),
  ...rows('payments.wrong_amount', 'payments.wrong_amount', {
    'pays the caller one lamport less': changed({ callerLamports: CALLER_PART - 1n }),
    'pays nothing': changed({ callerLamports: 0n, platformLamports: 0n }),
    'pays caller and platform from two wallets': changed(async () => ({
      platformPayer: await createFundedWallet(),
    })),
  }),
  ...rows('payments.wrong_amount', 'payments.failed_on_chain', {
    'transfers more lamports than exist': changed({ callerLamports: 2n ** 64n - 1n }),
  }),
  ...rows('payments.wrong_recipient', 'payments.wrong_recipient', {
    'pays only the caller': (environment) => signFor(environment, payment(environment).slice(0, 1)),
    'pays somebody else instead of the caller': changed(() => ({ callerAddress: stranger().toBase58() })),
    'pays the caller’s new payout wallet, chosen after the intent': changed(async ({ caller }) => ({
      callerAddress: await chooseWallet(caller),
    })),
    'is paid from the payout wallet': (environment) =>
      signPayment({ ...environment, payer: environment.payout }),
    'pays from an account derived with a seed': async (environment) => {
      const { payer, payout, terms } = environment;
      const fromPubkey = await fundSeedAccount(payer, { seed: 'savings', lamports: 1_000_000_000n });
      const spend = (toPubkey: PublicKey, lamports: bigint) =>
        SystemProgram.transfer({
          fromPubkey,
          basePubkey: payer.publicKey,
          toPubkey,
          lamports,
          seed: 'savings',
          programId: SystemProgram.programId,
        });
      return signFor(environment, [
        naming(spend(payout.publicKey, CALLER_PART), terms.intent.reference),
        spend(platform.publicKey, PLATFORM_PART),
      ]);
    },
    'creates the payout account instead of transferring to it': {
      build: (environment) => {
        const { payer, payout, terms } = environment;
        return signFor(
          environment,
          [fundAccount(payer, payout), naming(legsOf(environment)[1], terms.intent.reference)],
          {
            signers: [payer, payout],
          },
        );
      },
      open: (app) => openEnvironment(app, Keypair.generate()),
    },
    'pays in another token of nine decimals': async (environment) => {
      const token = await issueToken({
        issuer: environment.payer,
        supply: CALLER_PART + PLATFORM_PART,
        decimals: 9,
      });
      return payInTokens(environment, token);
    },
    'pays in wrapped SOL': async (environment) => {
      await act(
        [environment.payer],
        ...wrapSol(environment.payer.publicKey, Number(CALLER_PART + PLATFORM_PART)),
      );
      return payInTokens(environment, wrappedSol);
    },
    'unwraps the exact SOL into both recipients’ wallets': async (environment) => {
      const { payer, payout, terms } = environment;
      const owner = payer.publicKey;
      const purses: readonly [Keypair, PublicKey, bigint][] = [
        [Keypair.generate(), payout.publicKey, CALLER_PART],
        [Keypair.generate(), platform.publicKey, PLATFORM_PART],
      ];
      for (const [purse, , lamports] of purses) {
        const account = purse.publicKey;
        const open = openSpareAccount({ token: wrappedSol, owner, account, lamports: Number(lamports) });
        await act([payer, purse], ...open);
      }
      return signFor(
        environment,
        purses.map(([{ publicKey: account }, to]) =>
          naming(
            closeTokenAccount({ program: wrappedSol.program, account, owner, to }),
            terms.intent.reference,
          ),
        ),
      );
    },
    'withdraws the exact amounts from a nonce account': async (environment) => {
      const { payer, payout, terms } = environment;
      const noncePubkey = await createNonceAccount(payer, CALLER_PART + PLATFORM_PART);
      const withdraw = (toPubkey: PublicKey, lamports: bigint) =>
        SystemProgram.nonceWithdraw({
          noncePubkey,
          authorizedPubkey: payer.publicKey,
          toPubkey,
          lamports: Number(lamports),
        });
      return signFor(environment, [
        naming(withdraw(payout.publicKey, CALLER_PART), terms.intent.reference),
        withdraw(platform.publicKey, PLATFORM_PART),
      ]);
    },
  }),
  ...rows('payments.payer_did_not_sign', 'payments.failed_on_chain', {
    'transfers from a wallet that did not sign': async (environment) => {
      const victim = await createFundedWallet();
      const robbed = payment(environment, { from: victim.publicKey });
      for (const { keys } of robbed) for (const key of keys) key.isSigner = false;
      return signFor(environment, robbed);
    },
  }),
  ...rows('payments.intent_missing', 'payments.missing_reference', {
    'names no reference': changed({ reference: null }),
    'names the reference only in a memo’s text': changed(({ terms }) => ({
      reference: null,
      after: [memo(terms.intent.reference)],
    })),
  }),
  ...rows('payments.intent_missing', 'accepted', {
    'names the reference in a lookup table': paying(async (environment) => ({
      version: 0,
      tables: [await createLookupTable(environment, [new PublicKey(environment.terms.intent.reference)])],
    })),
    'names references of two users and pays one intent': async (environment) =>
      namingToo(
        environment,
        await openIntent(await environment.app.signIn('another'), environment.caller.id),
      ),
    'names references of two callers’ intents and pays one': async (environment) =>
      namingToo(environment, await toOtherCaller(environment)),
    'names one caller’s intents at two prices and pays the first named': paying(async (environment) => {
      await readResponse(environment.caller.patch('/api/user/caller-profile', { monthlyFee: '0.7' }));
      const dearer = await openIntent(environment.follower, environment.caller.id);
      return { after: [mention(environment, dearer.intent.reference)] };
    }),
  }),
  ...rows('payments.intent_missing', 'payments.wrong_amount', {
    'pays two callers at once': paying(async (environment) => ({
      after: payment({ ...environment, terms: await toOtherCaller(environment) }),
    })),
  }),
  ...rows('sent', 'payments.money_flowed_back', {
    'pays, and the payout wallet funds an account for the payer': paying(({ payer, payout }) => {
      const account = Keypair.generate();
      return { after: [fundAccount(payout, account)], signers: [payer, payout, account] };
    }),
    'pays, and the payout wallet pays a token account’s rent inside another program': paying(
      ({ payer, payout }) => ({
        after: [openAccount({ token: wrappedSol, owner: payer.publicKey, payer: payout.publicKey })],
        signers: [payer, payout],
      }),
    ),
  }),
  ...rows('payments.wrong_recipient', 'accepted', {
    'pays the caller from inside another program': {
      build: (environment) =>
        signFor(environment, [
          reallocatePayout(environment),
          naming(legsOf(environment)[1], environment.terms.intent.reference),
        ]),
      open: openTokenPayout,
    },
    'takes the payout wallet from a lookup table': paying(async (environment) => ({
      version: 0,
      tables: [await createLookupTable(environment, [environment.payout.publicKey])],
    })),
    'takes the platform wallet from a lookup table': paying(async (environment) => ({
      version: 0,
      tables: [await createLookupTable(environment, [platform.publicKey])],
    })),
  }),
  ...rows('sent', 'payments.wrong_amount', {
    'pays the caller directly and once more from inside another program': {
      build: paying((environment) => ({ before: [reallocatePayout(environment)] })),
      open: openTokenPayout,
    },
  }),
  ...rows('payments.durable_nonce', 'accepted', {
    'uses a durable nonce': paying(async (environment) => ({
      before: [await advanceNonce(environment)],
      blockhash: await latestBlockhash(),
    })),
  }),
  ...rows('payments.rejected_by_chain', 'unlandable', {
    'is one byte too long': (environment) => padTo(environment, 1233),
  }),
  ...rows('payments.transaction_invalid', 'payments.pending', {
    'is not signed': forged((bytes) => bytes.fill(0, 1, 65)),
  }),
  ...rows('payments.version_unsupported', 'unlandable', {
    'has a newer version behind its signatures': forged((bytes) => bytes.set([0x81], 65)),
    'has a newer version before its signatures': forged((bytes) => bytes.set([0x82], 0)),
  }),
  ...rows('payments.insufficient_funds', 'payments.failed_on_chain', {
    'pays from a wallet that holds too little': async (environment) =>
      signPayment({ ...environment, payer: await createFundedWallet(0.1) }),
    'would leave the payer under the rent-exempt minimum': async (environment) =>
      signPayment({ ...environment, payer: await createFundedWallet(0.500_006) }),
    'fails in an instruction after its transfers': changed(({ payer }) => ({
      after: [transfer({ from: payer.publicKey, to: stranger(), lamports: 100_000_000_000 })],
    })),
  }),
  ...rows('payments.insufficient_funds', 'payments.pending', {
    'pays from an empty wallet': (environment) => signPayment({ ...environment, payer: Keypair.generate() }),
  }),
  ...rows('payments.blockhash_expired', 'payments.pending', {
    'has a blockhash of another cluster': paying(() => ({ blockhash: stranger().toBase58() })),
  }),
  ...rows('payments.rejected_by_chain', 'payments.pending', {
    'calls a program that does not exist': paying(({ payer }) => {
      const nowhere = lighthouseGuard(payer.publicKey);
      nowhere.programId = stranger();
      return { after: [nowhere] };
    }),
    'names an account twice': (environment) =>
      signWithAccount(environment, payment(environment), (keys) => keys.at(-1) ?? stranger()),
  }),
  ...rows('payments.intent_expired', 'accepted', {
    'is signed a minute after its intent has ended': later(INTENT_LIFETIME_MS + MINUTE_MS),
  }),
  ...rows('payments.intent_expired', 'payments.outside_time_window', {
    'is signed after the last permitted block time': later(
      INTENT_LIFETIME_MS + MAX_LANDING_MS + CHAIN_CLOCK_SKEW_MS + MINUTE_MS,
    ),
  }),
  ...rows('payments.money_flowed_back', 'payments.money_flowed_back', {
    'pays, and the payout wallet pays a lamport back': refund(({ payout, payer }) => ({
      from: payout,
      to: payer.publicKey,
      lamports: 1n,
    })),
    'pays, and the payout wallet pays a third wallet': refund(({ payout }) => ({
      from: payout,
      to: stranger(),
      lamports: 1_000_000n,
    })),
  }),
];
