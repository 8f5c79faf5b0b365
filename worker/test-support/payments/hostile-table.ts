import {
  ComputeBudgetProgram,
  Keypair,
  MessageV0,
  PublicKey,
  SystemProgram,
  VersionedTransaction,
} from '@solana/web3.js';
import {
  BLOCKHASH_LIFETIME_MS,
  CHAIN_CLOCK_SKEW_MS,
  INTENT_LIFETIME_MS,
  MINUTE_MS,
} from '#schema/constants.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import { readAnswer } from '../answers.ts';
import { createPaidCaller, proveWallet } from '../people/callers.ts';
import { createFundedWallet } from './chain.ts';
import {
  act,
  createLookupTable,
  createNonceAccount,
  extendTable,
  fundSeedAccount,
  latestBlockhash,
  legsOf,
  lighthouseGuard,
  memo,
  mention,
  naming,
  payment,
  platform,
  reallocate,
  signFor,
  transfer,
  type HostileWorld,
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
import { openIntent, settle, signPayment, walletExtras, type PaymentChanges } from './payments.ts';
import type { TestApp } from '../test-app.ts';

const CALLER_PART = 450_000_000n;
const PLATFORM_PART = 50_000_000n;

type Build = (world: HostileWorld) => Uint8Array | Promise<Uint8Array>;
type Open = (app: TestApp) => Promise<HostileWorld>;
/** The result of sending the transaction through the product. */
type Sent = 'sent' | ErrorCode;
/**
 * The result of claiming the transaction after it was sent directly to the chain. `unlandable` if the cluster rejects
 * it.
 */
type Claimed = 'accepted' | 'unlandable' | ErrorCode;
type Row = readonly [name: string, sent: Sent, claimed: Claimed, build: Build, open: Open];

/** Transactions with the same results, by the sentence that begins with "A transaction". */
const rows = (
  sent: Sent,
  claimed: Claimed,
  builds: Readonly<Record<string, Build | { readonly build: Build; readonly open: Open }>>,
): Row[] =>
  Object.entries(builds).map(([name, row]) =>
    typeof row === 'function'
      ? [name, sent, claimed, row, openWorld]
      : [name, sent, claimed, row.build, row.open],
  );

export async function openWorld(
  app: TestApp,
  { fee = '0.5', payout }: { fee?: string; payout?: Keypair } = {},
): Promise<HostileWorld> {
  const [paid, follower, payer] = await Promise.all([
    createPaidCaller(app, { fee, ...(payout ? { payout } : {}) }),
    app.signIn('follower'),
    createFundedWallet(),
  ]);
  return { app, ...paid, follower, payer, terms: await openIntent(follower, paid.caller.id) };
}

const changed =
  (changes: PaymentChanges | ((world: HostileWorld) => PaymentChanges | Promise<PaymentChanges>)) =>
  async (world: HostileWorld): Promise<Uint8Array> =>
    signPayment({ ...world, changes: typeof changes === 'function' ? await changes(world) : changes });
const stranger = () => Keypair.generate().publicKey;

const amounts = [
  ...rows('sent', 'accepted', {
    'is what the page builds': changed({}),
    'splits each transfer into two halves': (world) => {
      const half = { callerLamports: String(CALLER_PART / 2n), platformLamports: String(PLATFORM_PART / 2n) };
      const halves = { ...world, terms: { ...world.terms, intent: { ...world.terms.intent, ...half } } };
      return signFor(world, [...payment(halves), ...legsOf(halves)]);
    },
  }),
  ...rows('payments.wrong_amount', 'payments.wrong_amount', {
    'pays the caller one lamport less': changed({ callerLamports: CALLER_PART - 1n }),
    'pays nothing': changed({ callerLamports: 0n, platformLamports: 0n }),
  }),
  ...rows('payments.wrong_amount', 'payments.failed_on_chain', {
    'transfers more lamports than exist': changed({ callerLamports: 2n ** 64n - 1n }),
  }),
  ...rows('payments.wrong_recipient', 'payments.wrong_recipient', {
    'pays only the caller': (world) => signFor(world, payment(world).slice(0, 1)),
  }),
];

const recipients = [
  ...rows('payments.wrong_recipient', 'payments.wrong_recipient', {
    'pays somebody else instead of the caller': changed(() => ({ callerAddress: stranger().toBase58() })),
    'pays the caller’s new payout wallet, chosen after the intent': changed(async ({ caller }) => {
      const { walletAddress } = await proveWallet(caller, await createFundedWallet(1));
      await readAnswer(caller.patch('/api/user/caller-profile', { walletAddress }));
      return { callerAddress: walletAddress };
    }),
  }),
  ...rows('sent', 'accepted', {
    'pays the intent’s payout wallet after the caller has chosen another': changed(async ({ caller }) => {
      const { walletAddress } = await proveWallet(caller, await createFundedWallet(1));
      await readAnswer(caller.patch('/api/user/caller-profile', { walletAddress }));
      return {};
    }),
    'also pays a stranger': changed(({ payer }) => ({
      after: [transfer({ from: payer.publicKey, to: stranger(), lamports: 1_000_000 })],
    })),
  }),
];

const payers = [
  ...rows('payments.wrong_amount', 'payments.wrong_amount', {
    'pays caller and platform from two wallets': changed(async () => ({
      platformPayer: await createFundedWallet(),
    })),
  }),
  ...rows('sent', 'accepted', {
    'has its network fee paid by the payout wallet': (world) =>
      signFor(world, payment(world), { signers: [world.payout, world.payer] }),
    'has a priority fee, paid by the payout wallet, above the caller’s amount': (world) => {
      const fee = [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 500_000_000_000 }),
      ];
      return signFor(world, [...fee, ...payment(world)], { signers: [world.payout, world.payer] });
    },
    'also has gifts from another wallet to caller and platform': async (world) => {
      const donor = await createFundedWallet();
      const gifts = [world.payout, platform].map(({ publicKey }) =>
        transfer({ from: donor.publicKey, to: publicKey, lamports: 7 }),
      );
      return signFor(world, [...gifts, ...payment(world)], { signers: [world.payer, donor] });
    },
  }),
  ...rows('payments.wrong_recipient', 'payments.wrong_recipient', {
    'is paid from the payout wallet': (world) => signPayment({ ...world, payer: world.payout }),
    'pays from an account derived with a seed': async (world) => {
      const { payer, payout, terms } = world;
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
      return signFor(world, [
        naming(spend(payout.publicKey, CALLER_PART), terms.intent.reference),
        spend(platform.publicKey, PLATFORM_PART),
      ]);
    },
  }),
  ...rows('payments.payer_did_not_sign', 'payments.failed_on_chain', {
    'transfers from a wallet that did not sign': async (world) => {
      const victim = await createFundedWallet();
      const robbed = payment(world, { from: victim.publicKey });
      for (const { keys } of robbed) for (const key of keys) key.isSigner = false;
      return signFor(world, robbed);
    },
  }),
];

const references = [
  ...rows('payments.intent_missing', 'payments.missing_reference', {
    'names no reference': changed({ reference: null }),
    'names the reference only in a memo’s text': changed(({ terms }) => ({
      reference: null,
      after: [memo(terms.intent.reference)],
    })),
  }),
  ...rows('sent', 'accepted', {
    'names the reference only in the platform’s transfer': (world) =>
      signFor(world, [legsOf(world)[0], naming(legsOf(world)[1], world.terms.intent.reference)]),
    'lists the reference among its accounts, but no instruction uses it': (world) => {
      const { header, staticAccountKeys, recentBlockhash, compiledInstructions } =
        VersionedTransaction.deserialize(signFor(world, legsOf(world), { version: 0 })).message as MessageV0;
      const withReference = new MessageV0({
        header: { ...header, numReadonlyUnsignedAccounts: header.numReadonlyUnsignedAccounts + 1 },
        staticAccountKeys: [...staticAccountKeys, new PublicKey(world.terms.intent.reference)],
        recentBlockhash,
        compiledInstructions,
        addressTableLookups: [],
      });
      const transaction = new VersionedTransaction(withReference);
      transaction.sign([world.payer]);
      return transaction.serialize();
    },
  }),
  ...rows('payments.intent_missing', 'accepted', {
    'names the reference in a lookup table': async (world) =>
      signFor(world, payment(world), {
        version: 0,
        tables: [await createLookupTable(world, [new PublicKey(world.terms.intent.reference)])],
      }),
    'names references of two users and pays one intent': async (world) => {
      const other = await openIntent(await world.app.signIn('another'), world.caller.id);
      return signFor(
        world,
        payment(world).map((leg) => naming(leg, other.intent.reference)),
      );
    },
    'names references of two callers’ intents and pays one': async (world) => {
      const { caller } = await createPaidCaller(world.app, { handle: 'other_caller', fee: '0.7' });
      const other = await openIntent(world.follower, caller.id);
      return signFor(
        world,
        payment(world).map((leg) => naming(leg, other.intent.reference)),
      );
    },
    'names one caller’s intents at two prices and pays the first named': async (world) => {
      await readAnswer(world.caller.patch('/api/user/caller-profile', { monthlyFee: '0.7' }));
      const dearer = await openIntent(world.follower, world.caller.id);
      return signFor(world, [...payment(world), mention(world, dearer.intent.reference)]);
    },
  }),
  ...rows('payments.intent_missing', 'payments.wrong_amount', {
    'pays two callers at once': async (world) => {
      const { caller } = await createPaidCaller(world.app, { handle: 'other_caller', fee: '0.7' });
      const terms = await openIntent(world.follower, caller.id);
      return signFor(world, [...payment(world), ...payment({ ...world, terms })]);
    },
  }),
];

const refund =
  (sign: (world: HostileWorld) => { signer: Keypair; to: PublicKey; lamports: bigint }): Build =>
  (world) => {
    const { signer, to, lamports } = sign(world);
    return signFor(world, [...payment(world), transfer({ from: signer.publicKey, to, lamports })], {
      signers: [world.payer, signer],
    });
  };

const backflows = rows('payments.money_flowed_back', 'payments.money_flowed_back', {
  'pays, and the payout wallet pays a lamport back': refund(({ payout, payer }) => ({
    signer: payout,
    to: payer.publicKey,
    lamports: 1n,
  })),
  'pays, and the payout wallet pays a third wallet': refund(({ payout }) => ({
    signer: payout,
    to: stranger(),
    lamports: 1_000_000n,
  })),
});

const hiddenBackflows = [
  ...rows('sent', 'payments.money_flowed_back', {
    'pays, and the payout wallet funds an account for the payer': (world) => {
      const account = Keypair.generate();
      const open = SystemProgram.createAccount({
        fromPubkey: world.payout.publicKey,
        newAccountPubkey: account.publicKey,
        lamports: Number(CALLER_PART),
        space: 0,
        programId: SystemProgram.programId,
      });
      return signFor(world, [...payment(world), open], { signers: [world.payer, world.payout, account] });
    },
    'pays, and the payout wallet pays a token account’s rent inside another program': (world) => {
      const instruction = openAccount({
        token: wrappedSol,
        owner: world.payer.publicKey,
        payer: world.payout.publicKey,
      });
      return signFor(world, [...payment(world), instruction], { signers: [world.payer, world.payout] });
    },
  }),
  ...rows('sent', 'accepted', {
    'pays, and the payout wallet transfers to itself': (world) =>
      signFor(
        world,
        [
          ...payment(world),
          transfer({ from: world.payout.publicKey, to: world.payout.publicKey, lamports: CALLER_PART }),
        ],
        { signers: [world.payer, world.payout] },
      ),
    'pays, and a third wallet refunds the payer': async (world) => {
      const friend = await createFundedWallet();
      return signFor(
        world,
        [
          ...payment(world),
          transfer({ from: friend.publicKey, to: world.payer.publicKey, lamports: CALLER_PART }),
        ],
        { signers: [world.payer, friend] },
      );
    },
  }),
];

/** Opens an intent whose payout wallet is also a Token-2022 account. */
async function openTokenPayout(app: TestApp): Promise<HostileWorld> {
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
  await settle(app);
  const { caller } = await createPaidCaller(app, { fee: '0.01', payout });
  // With this fee, the caller's nine tenths are 41,760 lamports. The rent that the token program moves is the
  // same amount.
  await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: '0.0000464' }));
  return { app, caller, payout, follower, payer, terms: await openIntent(follower, caller.id) };
}

/** Pays both recipients the right number of a token, which isn't SOL. */
async function payInTokens(world: HostileWorld, token: TokenKind): Promise<Uint8Array> {
  const { payer, payout, terms } = world;
  const from = payer.publicKey;
  const recipients = [payout, platform].map(({ publicKey }) => publicKey);
  await act([payer], ...recipients.map((owner) => openAccount({ token, owner, payer: from })));
  const legs = recipients.map((to, index) =>
    sendTokens({ token, from, to, amount: index === 0 ? CALLER_PART : PLATFORM_PART }),
  );
  return signFor(
    world,
    legs.map((leg) => naming(leg, terms.intent.reference)),
  );
}

const instruments = [
  ...rows('payments.wrong_recipient', 'payments.wrong_recipient', {
    'creates the payout account instead of transferring to it': {
      build: (world) => {
        const { payer, payout, terms } = world;
        const open = SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: payout.publicKey,
          lamports: Number(CALLER_PART),
          space: 0,
          programId: SystemProgram.programId,
        });
        return signFor(world, [open, naming(legsOf(world)[1], terms.intent.reference)], {
          signers: [payer, payout],
        });
      },
      open: (app) => openWorld(app, { payout: Keypair.generate() }),
    },
    'pays in another token of nine decimals': async (world) => {
      const token = await issueToken({
        issuer: world.payer,
        supply: CALLER_PART + PLATFORM_PART,
        decimals: 9,
      });
      return payInTokens(world, token);
    },
    'pays in wrapped SOL': async (world) => {
      await act([world.payer], ...wrapSol(world.payer.publicKey, Number(CALLER_PART + PLATFORM_PART)));
      return payInTokens(world, wrappedSol);
    },
    'unwraps the exact SOL into both recipients’ wallets': async (world) => {
      const { payer, payout, terms } = world;
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
        world,
        purses.map(([{ publicKey: account }, to]) =>
          naming(
            closeTokenAccount({ program: wrappedSol.program, account, owner, to }),
            terms.intent.reference,
          ),
        ),
      );
    },
    'withdraws the exact amounts from a nonce account': async (world) => {
      const { payer, payout, terms } = world;
      const noncePubkey = await createNonceAccount(payer, CALLER_PART + PLATFORM_PART);
      const withdraw = (toPubkey: PublicKey, lamports: bigint) =>
        SystemProgram.nonceWithdraw({
          noncePubkey,
          authorizedPubkey: payer.publicKey,
          toPubkey,
          lamports: Number(lamports),
        });
      return signFor(world, [
        naming(withdraw(payout.publicKey, CALLER_PART), terms.intent.reference),
        withdraw(platform.publicKey, PLATFORM_PART),
      ]);
    },
  }),
  ...rows('payments.wrong_recipient', 'accepted', {
    'pays the caller from inside another program': {
      build: (world) => {
        const { payer, payout, terms } = world;
        return signFor(world, [
          reallocate({ account: payout.publicKey, payer: payer.publicKey, owner: payer.publicKey }),
          naming(legsOf(world)[1], terms.intent.reference),
        ]);
      },
      open: openTokenPayout,
    },
  }),
  ...rows('sent', 'payments.wrong_amount', {
    'pays the caller directly and once more from inside another program': {
      build: (world) =>
        signFor(world, [
          reallocate({
            account: world.payout.publicKey,
            payer: world.payer.publicKey,
            owner: world.payer.publicKey,
          }),
          ...payment(world),
        ]),
      open: openTokenPayout,
    },
  }),
  ...rows('sent', 'accepted', {
    'also has other programs move the payer’s lamports to others': async (world) => {
      const table = await createLookupTable(world, [stranger()]);
      const instruction = openAccount({
        token: wrappedSol,
        owner: world.payout.publicKey,
        payer: world.payer.publicKey,
      });
      return signFor(world, [instruction, ...payment(world), extendTable(world, table)]);
    },
    'advances a nonce in a later instruction': async (world) => {
      const noncePubkey = await createNonceAccount(world.payer);
      await settle(world.app);
      return signFor(
        world,
        [
          ...payment(world),
          SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: world.payer.publicKey }),
        ],
        { blockhash: await latestBlockhash() },
      );
    },
    'has transfer instructions with extra bytes and accounts': (world) => {
      const legs = payment(world);
      for (const leg of legs) {
        leg.data = Buffer.concat([leg.data, Buffer.from([1, 2, 3])]);
        naming(leg, stranger().toBase58());
      }
      return signFor(world, legs);
    },
  }),
  ...rows('payments.durable_nonce', 'accepted', {
    'uses a durable nonce': async (world) => {
      const noncePubkey = await createNonceAccount(world.payer);
      await settle(world.app);
      return signFor(
        world,
        [
          SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: world.payer.publicKey }),
          ...payment(world),
        ],
        { blockhash: await latestBlockhash() },
      );
    },
  }),
];

const guards = ({ payer }: HostileWorld) => ({
  before: [lighthouseGuard(payer.publicKey)],
  after: [lighthouseGuard(payer.publicKey)],
});
const everything = (world: HostileWorld) => {
  const [extras, guard] = [walletExtras(world.payer), guards(world)];
  return { before: [...extras.before, ...guard.before], after: [...guard.after, ...extras.after] };
};

const wallets = [
  ...rows('sent', 'accepted', {
    'has all harmless extras': changed(everything),
    'has all harmless extras as v0': changed((world) => ({ ...everything(world), version: 0 })),
    'takes an unrelated account from a lookup table': async (world) => {
      const other = stranger();
      return signFor(
        world,
        [...payment(world), transfer({ from: world.payer.publicKey, to: other, lamports: 1_000_000 })],
        { version: 0, tables: [await createLookupTable(world, [other])] },
      );
    },
    'has the maximum length': (world) => padTo(world, 1232),
  }),
  ...rows('payments.wrong_recipient', 'accepted', {
    'takes the payout wallet from a lookup table': async (world) =>
      signFor(world, payment(world), {
        version: 0,
        tables: [await createLookupTable(world, [world.payout.publicKey])],
      }),
    'takes the platform wallet from a lookup table': async (world) =>
      signFor(world, payment(world), {
        version: 0,
        tables: [await createLookupTable(world, [platform.publicKey])],
      }),
  }),
  ...rows('payments.rejected_by_chain', 'unlandable', {
    'is one byte too long': (world) => padTo(world, 1233),
  }),
];

function padTo(world: HostileWorld, length: number): Uint8Array {
  const build = (size: number) => signFor(world, [...payment(world), memo('x'.repeat(size))], { version: 0 });
  const GUESS = 500;
  return build(GUESS + length - build(GUESS).length);
}

const forged =
  (change: (bytes: Uint8Array, world: HostileWorld) => Uint8Array | void) => (world: HostileWorld) => {
    const bytes = signFor(world, payment(world), { version: 0 });
    return change(bytes, world) ?? bytes;
  };

const forgeries = [
  ...rows('payments.transaction_invalid', 'payments.pending', {
    'is not signed': forged((bytes) => void bytes.fill(0, 1, 65)),
  }),
  ...rows('payments.transaction_invalid', 'unlandable', {
    'has an unknown version': forged((bytes) => bytes.set([0x81], 65)),
  }),
];

const chainRefusals = [
  ...rows('payments.insufficient_funds', 'payments.failed_on_chain', {
    'pays from a wallet that holds too little': async (world) =>
      signPayment({ ...world, payer: await createFundedWallet(0.1) }),
    'would leave the payer under the rent-exempt minimum': async (world) =>
      signPayment({ ...world, payer: await createFundedWallet(0.500_006) }),
    'fails in an instruction after its transfers': changed(({ payer }) => ({
      after: [transfer({ from: payer.publicKey, to: stranger(), lamports: 100_000_000_000 })],
    })),
  }),
  ...rows('payments.insufficient_funds', 'payments.pending', {
    'pays from an empty wallet': (world) => signPayment({ ...world, payer: Keypair.generate() }),
  }),
  ...rows('payments.blockhash_expired', 'payments.pending', {
    'has a blockhash of another cluster': (world) =>
      signFor(world, payment(world), { blockhash: stranger().toBase58() }),
  }),
  ...rows('payments.rejected_by_chain', 'payments.pending', {
    'calls a program that does not exist': (world) => {
      const nowhere = lighthouseGuard(world.payer.publicKey);
      nowhere.programId = stranger();
      return signFor(world, [...payment(world), nowhere]);
    },
    'names an account twice': (world) => {
      const { header, staticAccountKeys, recentBlockhash, compiledInstructions } =
        VersionedTransaction.deserialize(signFor(world, payment(world), { version: 0 })).message as MessageV0;
      const twice = [...staticAccountKeys, staticAccountKeys.at(-1) ?? stranger()];
      const transaction = new VersionedTransaction(
        new MessageV0({
          header: { ...header, numReadonlyUnsignedAccounts: header.numReadonlyUnsignedAccounts + 1 },
          staticAccountKeys: twice,
          recentBlockhash,
          compiledInstructions,
          addressTableLookups: [],
        }),
      );
      transaction.sign([world.payer]);
      return transaction.serialize();
    },
  }),
];

const later = (milliseconds: number) => async (world: HostileWorld) => {
  await world.app.advance(milliseconds);
  return signFor(world, payment(world), { blockhash: await latestBlockhash() });
};

const times = [
  ...rows('sent', 'accepted', {
    'is signed in the last minute of its intent': later(INTENT_LIFETIME_MS - MINUTE_MS),
    'is signed after the price went up': async (world) => {
      await readAnswer(world.caller.patch('/api/user/caller-profile', { monthlyFee: '5' }));
      return later(MINUTE_MS)(world);
    },
  }),
  ...rows('payments.intent_expired', 'accepted', {
    'is signed a minute after its intent has ended': later(INTENT_LIFETIME_MS + MINUTE_MS),
  }),
  ...rows('payments.intent_expired', 'payments.outside_time_window', {
    'is signed after the last permitted block time': later(
      INTENT_LIFETIME_MS + BLOCKHASH_LIFETIME_MS + CHAIN_CLOCK_SKEW_MS + MINUTE_MS,
    ),
  }),
];

export const hostileTable = [
  ...amounts,
  ...recipients,
  ...payers,
  ...references,
  ...backflows,
  ...hiddenBackflows,
  ...instruments,
  ...wallets,
  ...forgeries,
  ...chainRefusals,
  ...times,
];
