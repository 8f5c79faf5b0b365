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
  DAY_MS,
  INTENT_LIFETIME_MS,
  MINUTE_MS,
} from '#schema/constants.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import { readAnswer } from './answers.ts';
import { createPaidCaller, proveWallet } from './callers.ts';
import { createFundedWallet, rpc } from './chain.ts';
import {
  act,
  closeTokenAccount,
  createLookupTable,
  createMint,
  createNonceAccount,
  extendTable,
  fundSeedAccount,
  latestBlockhash,
  legsOf,
  lighthouseGuard,
  memo,
  mention,
  mintTo,
  moveTokens,
  naming,
  openAssociatedAccount,
  openTokenAccount,
  payment,
  platform,
  reallocate,
  rentOf,
  signFor,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  transfer,
  WRAPPED_SOL,
  type HostileWorld,
} from './hostile-transactions.ts';
import { openIntent, settle, signPayment, walletExtras, type PaymentChanges } from './payments.ts';
import type { TestApp } from './test-app.ts';

const CALLER_PART = 450_000_000n;
const PLATFORM_PART = 50_000_000n;

type Row = readonly [
  name: string,
  /** The result of sending the transaction through the product. */
  sent: 'sent' | ErrorCode,
  /**
   * The result of claiming the transaction after it was sent directly to the chain. `unlandable` if the
   * cluster rejects it.
   */
  claimed: 'accepted' | 'unlandable' | ErrorCode,
  build: (world: HostileWorld) => Uint8Array | Promise<Uint8Array>,
  open?: (app: TestApp) => Promise<HostileWorld>,
];

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

const amounts: readonly Row[] = [
  ['is what the page builds', 'sent', 'accepted', changed({})],
  [
    'pays the caller one lamport less',
    'payments.wrong_amount',
    'payments.wrong_amount',
    changed({ callerLamports: CALLER_PART - 1n }),
  ],
  [
    'pays the platform one lamport less',
    'payments.wrong_amount',
    'payments.wrong_amount',
    changed({ platformLamports: PLATFORM_PART - 1n }),
  ],
  [
    'pays the caller one lamport more',
    'payments.wrong_amount',
    'payments.wrong_amount',
    changed({ callerLamports: CALLER_PART + 1n }),
  ],
  [
    'pays the platform one lamport more',
    'payments.wrong_amount',
    'payments.wrong_amount',
    changed({ platformLamports: PLATFORM_PART + 1n }),
  ],
  [
    'swaps the two amounts',
    'payments.wrong_amount',
    'payments.wrong_amount',
    changed({ callerLamports: PLATFORM_PART, platformLamports: CALLER_PART }),
  ],
  [
    'pays everything to the caller',
    'payments.wrong_amount',
    'payments.wrong_amount',
    changed({ callerLamports: CALLER_PART + PLATFORM_PART, platformLamports: 0n }),
  ],
  [
    'pays nothing',
    'payments.wrong_amount',
    'payments.wrong_amount',
    changed({ callerLamports: 0n, platformLamports: 0n }),
  ],
  [
    'transfers more lamports than exist',
    'payments.wrong_amount',
    'payments.failed_on_chain',
    changed({ callerLamports: 2n ** 64n - 1n }),
  ],
  [
    'pays only the caller',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    (world) => signFor(world, payment(world).slice(0, 1)),
  ],
  [
    'pays only the platform',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    (world) => signFor(world, [naming(legsOf(world)[1], world.terms.intent.reference)]),
  ],
  [
    'makes both transfers twice',
    'payments.wrong_amount',
    'payments.wrong_amount',
    (world) => signFor(world, [...payment(world), ...legsOf(world)]),
  ],
  [
    'splits each transfer into two halves',
    'sent',
    'accepted',
    (world) => {
      const half = { callerLamports: String(CALLER_PART / 2n), platformLamports: String(PLATFORM_PART / 2n) };
      const halves = { ...world, terms: { ...world.terms, intent: { ...world.terms.intent, ...half } } };
      return signFor(world, [...payment(halves), ...legsOf(halves)]);
    },
  ],
];

const recipients: readonly Row[] = [
  [
    'pays somebody else instead of the caller',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    changed(() => ({ callerAddress: stranger().toBase58() })),
  ],
  [
    'pays somebody else instead of the platform',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    changed(() => ({ platformAddress: stranger().toBase58() })),
  ],
  [
    'pays itself instead of the caller',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    changed(({ payer }) => ({ callerAddress: payer.publicKey.toBase58() })),
  ],
  [
    'pays the reference instead of the caller',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    changed(({ terms }) => ({ callerAddress: terms.intent.reference })),
  ],
  [
    'pays the caller’s new payout wallet, chosen after the intent',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    changed(async ({ caller }) => {
      const { walletAddress } = await proveWallet(caller, await createFundedWallet(1));
      await readAnswer(caller.patch('/api/user/caller-profile', { walletAddress }));
      return { callerAddress: walletAddress };
    }),
  ],
  [
    'pays the intent’s payout wallet after the caller has chosen another',
    'sent',
    'accepted',
    changed(async ({ caller }) => {
      const { walletAddress } = await proveWallet(caller, await createFundedWallet(1));
      await readAnswer(caller.patch('/api/user/caller-profile', { walletAddress }));
      return {};
    }),
  ],
  [
    'also pays a stranger',
    'sent',
    'accepted',
    changed(({ payer }) => ({
      after: [transfer({ from: payer.publicKey, to: stranger(), lamports: 1_000_000 })],
    })),
  ],
];

const payers: readonly Row[] = [
  [
    'pays caller and platform from two wallets',
    'payments.wrong_amount',
    'payments.wrong_amount',
    changed(async () => ({ platformPayer: await createFundedWallet() })),
  ],
  [
    'pays the caller from two wallets',
    'payments.wrong_amount',
    'payments.wrong_amount',
    async (world) => {
      const other = await createFundedWallet();
      const to = world.payout.publicKey;
      const part = (from: PublicKey) => transfer({ from, to, lamports: CALLER_PART / 2n });
      return signFor(
        world,
        [
          naming(part(world.payer.publicKey), world.terms.intent.reference),
          part(other.publicKey),
          legsOf(world)[1],
        ],
        { signers: [world.payer, other] },
      );
    },
  ],
  [
    'has its network fee paid by another wallet',
    'sent',
    'accepted',
    async (world) => signFor(world, payment(world), { signers: [await createFundedWallet(), world.payer] }),
  ],
  [
    'has its network fee paid by the payout wallet',
    'sent',
    'accepted',
    (world) => signFor(world, payment(world), { signers: [world.payout, world.payer] }),
  ],
  [
    'has its network fee paid by the platform',
    'sent',
    'accepted',
    (world) => signFor(world, payment(world), { signers: [platform, world.payer] }),
  ],
  [
    'has a priority fee, paid by the payout wallet, above the caller’s amount',
    'sent',
    'accepted',
    (world) => {
      const fee = [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 500_000_000_000 }),
      ];
      return signFor(world, [...fee, ...payment(world)], { signers: [world.payout, world.payer] });
    },
  ],
  [
    'is paid from the payout wallet',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    (world) => signPayment({ ...world, payer: world.payout }),
  ],
  [
    'is paid from the platform wallet',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    async (world) => {
      await rpc('requestAirdrop', platform.publicKey.toBase58(), 2_000_000_000);
      return signPayment({ ...world, payer: platform });
    },
  ],
  [
    'transfers from a wallet that did not sign',
    'payments.payer_did_not_sign',
    'payments.failed_on_chain',
    async (world) => {
      const victim = await createFundedWallet();
      const robbed = payment(world, { from: victim.publicKey });
      for (const { keys } of robbed) for (const key of keys) key.isSigner = false;
      return signFor(world, robbed);
    },
  ],
  [
    'pays from an account derived with a seed',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    async (world) => {
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
  ],
  [
    'also has gifts from another wallet to caller and platform',
    'sent',
    'accepted',
    async (world) => {
      const donor = await createFundedWallet();
      const gifts = [world.payout, platform].map(({ publicKey }) =>
        transfer({ from: donor.publicKey, to: publicKey, lamports: 7 }),
      );
      return signFor(world, [...gifts, ...payment(world)], { signers: [world.payer, donor] });
    },
  ],
  [
    'has three unrelated signers',
    'sent',
    'accepted',
    (world) => {
      const witnesses = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
      return signFor(
        world,
        [
          ...payment(world),
          memo(
            'witnessed',
            witnesses.map(({ publicKey }) => publicKey),
          ),
        ],
        { signers: [world.payer, ...witnesses] },
      );
    },
  ],
];

const references: readonly Row[] = [
  [
    'names no reference',
    'payments.intent_missing',
    'payments.missing_reference',
    changed({ reference: null }),
  ],
  [
    'names an unknown reference',
    'payments.intent_missing',
    'payments.missing_reference',
    changed(() => ({ reference: stranger().toBase58() })),
  ],
  [
    'names the reference only in a memo’s text',
    'payments.intent_missing',
    'payments.missing_reference',
    changed(({ terms }) => ({ reference: null, after: [memo(terms.intent.reference)] })),
  ],
  [
    'names the reference only in the platform’s transfer',
    'sent',
    'accepted',
    (world) => signFor(world, [legsOf(world)[0], naming(legsOf(world)[1], world.terms.intent.reference)]),
  ],
  [
    'names the reference as a writable account',
    'sent',
    'accepted',
    (world) =>
      signFor(world, [
        naming(legsOf(world)[0], world.terms.intent.reference, { isWritable: true }),
        legsOf(world)[1],
      ]),
  ],
  [
    'names the reference in a separate instruction',
    'sent',
    'accepted',
    (world) => signFor(world, [...legsOf(world), mention(world, world.terms.intent.reference)]),
  ],
  [
    'lists the reference among its accounts, but no instruction uses it',
    'sent',
    'accepted',
    (world) => {
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
  ],
  [
    'sends lamports to the reference',
    'sent',
    'accepted',
    changed(({ payer, terms }) => ({
      after: [
        transfer({ from: payer.publicKey, to: new PublicKey(terms.intent.reference), lamports: 1_000_000 }),
      ],
    })),
  ],
  [
    'names the reference in a lookup table',
    'payments.intent_missing',
    'accepted',
    async (world) =>
      signFor(world, payment(world), {
        version: 0,
        tables: [await createLookupTable(world, [new PublicKey(world.terms.intent.reference)])],
      }),
  ],
  [
    'names references of two users and pays one intent',
    'payments.intent_missing',
    'accepted',
    async (world) => {
      const other = await openIntent(await world.app.signIn('another'), world.caller.id);
      return signFor(
        world,
        payment(world).map((leg) => naming(leg, other.intent.reference)),
      );
    },
  ],
  [
    'names references of two callers’ intents and pays one',
    'payments.intent_missing',
    'accepted',
    async (world) => {
      const { caller } = await createPaidCaller(world.app, { handle: 'other_caller', fee: '0.7' });
      const other = await openIntent(world.follower, caller.id);
      return signFor(
        world,
        payment(world).map((leg) => naming(leg, other.intent.reference)),
      );
    },
  ],
  [
    'pays two callers at once',
    'payments.intent_missing',
    'payments.wrong_amount',
    async (world) => {
      const { caller } = await createPaidCaller(world.app, { handle: 'other_caller', fee: '0.7' });
      const terms = await openIntent(world.follower, caller.id);
      return signFor(world, [...payment(world), ...payment({ ...world, terms })]);
    },
  ],
  [
    'names one caller’s intents at two prices and pays the first named',
    'payments.intent_missing',
    'accepted',
    async (world) => {
      await readAnswer(world.caller.patch('/api/user/caller-profile', { monthlyFee: '0.7' }));
      const dearer = await openIntent(world.follower, world.caller.id);
      return signFor(world, [...payment(world), mention(world, dearer.intent.reference)]);
    },
  ],
];

const refund = (
  name: string,
  sign: (world: HostileWorld) => { signer: Keypair; to: PublicKey; lamports: bigint },
): Row => [
  `and ${name}`,
  'payments.money_flowed_back',
  'payments.money_flowed_back',
  (world) => {
    const { signer, to, lamports } = sign(world);
    return signFor(world, [...payment(world), transfer({ from: signer.publicKey, to, lamports })], {
      signers: [world.payer, signer],
    });
  },
];

const backflows: readonly Row[] = [
  refund('the payout wallet pays a lamport back', ({ payout, payer }) => ({
    signer: payout,
    to: payer.publicKey,
    lamports: 1n,
  })),
  refund('the payout wallet pays everything back', ({ payout, payer }) => ({
    signer: payout,
    to: payer.publicKey,
    lamports: CALLER_PART,
  })),
  refund('the payout wallet pays a third wallet', ({ payout }) => ({
    signer: payout,
    to: stranger(),
    lamports: 1_000_000n,
  })),
  refund('the platform pays back', ({ payer }) => ({
    signer: platform,
    to: payer.publicKey,
    lamports: PLATFORM_PART,
  })),
];

const hiddenBackflows: readonly Row[] = [
  [
    'pays, and the payout wallet funds an account for the payer',
    'sent',
    'payments.money_flowed_back',
    (world) => {
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
  ],
  [
    'pays, and the payout wallet pays a token account’s rent inside another program',
    'sent',
    'payments.money_flowed_back',
    (world) => {
      const { instruction } = openAssociatedAccount({
        payer: world.payout.publicKey,
        owner: world.payer.publicKey,
        mint: WRAPPED_SOL,
      });
      return signFor(world, [...payment(world), instruction], { signers: [world.payer, world.payout] });
    },
  ],
  [
    'pays, and the payout wallet transfers to itself',
    'sent',
    'accepted',
    (world) =>
      signFor(
        world,
        [
          ...payment(world),
          transfer({ from: world.payout.publicKey, to: world.payout.publicKey, lamports: CALLER_PART }),
        ],
        { signers: [world.payer, world.payout] },
      ),
  ],
  [
    'pays, and a third wallet refunds the payer',
    'sent',
    'accepted',
    async (world) => {
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
  ],
];

/** Opens an intent whose payout wallet is also a Token-2022 account. */
async function openTokenPayout(app: TestApp): Promise<HostileWorld> {
  const [payer, payout, follower] = [
    await createFundedWallet(),
    Keypair.generate(),
    await app.signIn('follower'),
  ];
  const mint = await createMint(payer, { program: TOKEN_2022_PROGRAM });
  await act(
    [payer, payout],
    ...(await openTokenAccount({ payer, account: payout, mint, program: TOKEN_2022_PROGRAM })),
  );
  await settle(app);
  const { caller } = await createPaidCaller(app, { fee: '0.01', payout });
  // With this fee, the caller's nine tenths are 41,760 lamports. The rent that the token program moves is the
  // same amount.
  await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: '0.0000464' }));
  return { app, caller, payout, follower, payer, terms: await openIntent(follower, caller.id) };
}

const instruments: readonly Row[] = [
  [
    'creates the payout account instead of transferring to it',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    (world) => {
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
    (app) => openWorld(app, { payout: Keypair.generate() }),
  ],
  [
    'pays in another token of nine decimals',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    async (world) => {
      const { payer, payout, terms } = world;
      const mint = await createMint(payer);
      const [own, theirs, ours] = [payer, payout, platform].map(({ publicKey }) =>
        openAssociatedAccount({ payer: payer.publicKey, owner: publicKey, mint }),
      );
      if (!own || !theirs || !ours) throw new Error('Expected three accounts');
      await act(
        [payer],
        own.instruction,
        theirs.instruction,
        ours.instruction,
        mintTo({
          mint,
          account: own.address,
          authority: payer.publicKey,
          amount: CALLER_PART + PLATFORM_PART,
        }),
      );
      const leg = (to: PublicKey, amount: bigint) =>
        moveTokens({ from: own.address, to, owner: payer.publicKey, amount });
      return signFor(world, [
        naming(leg(theirs.address, CALLER_PART), terms.intent.reference),
        leg(ours.address, PLATFORM_PART),
      ]);
    },
  ],
  [
    'pays in wrapped SOL',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    async (world) => {
      const { payer, payout, terms } = world;
      const purse = Keypair.generate();
      const opened = [payout, platform].map(({ publicKey }) =>
        openAssociatedAccount({ payer: payer.publicKey, owner: publicKey, mint: WRAPPED_SOL }),
      );
      const lamports = (await rentOf(165)) + Number(CALLER_PART + PLATFORM_PART);
      await act(
        [payer, purse],
        ...(await openTokenAccount({
          payer,
          account: purse,
          mint: WRAPPED_SOL,
          program: TOKEN_PROGRAM,
          lamports,
        })),
        ...opened.map(({ instruction }) => instruction),
      );
      const legs = opened.map(({ address }, index) =>
        moveTokens({
          from: purse.publicKey,
          to: address,
          owner: payer.publicKey,
          amount: index === 0 ? CALLER_PART : PLATFORM_PART,
        }),
      );
      return signFor(
        world,
        legs.map((leg) => naming(leg, terms.intent.reference)),
      );
    },
  ],
  [
    'unwraps the exact SOL into both recipients’ wallets',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    async (world) => {
      const { payer, payout, terms } = world;
      const purses: readonly [Keypair, PublicKey, bigint][] = [
        [Keypair.generate(), payout.publicKey, CALLER_PART],
        [Keypair.generate(), platform.publicKey, PLATFORM_PART],
      ];
      for (const [account, , lamports] of purses) {
        await act(
          [payer, account],
          ...(await openTokenAccount({
            payer,
            account,
            mint: WRAPPED_SOL,
            program: TOKEN_PROGRAM,
            lamports: Number(lamports),
          })),
        );
      }
      return signFor(
        world,
        purses.map(([{ publicKey }, to]) =>
          naming(
            closeTokenAccount({ account: publicKey, to, owner: payer.publicKey }),
            terms.intent.reference,
          ),
        ),
      );
    },
  ],
  [
    'withdraws the exact amounts from a nonce account',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    async (world) => {
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
  ],
  [
    'pays the caller from inside another program',
    'payments.wrong_recipient',
    'accepted',
    (world) => {
      const { payer, payout, terms } = world;
      return signFor(world, [
        reallocate({ account: payout.publicKey, payer: payer.publicKey, owner: payer.publicKey }),
        naming(legsOf(world)[1], terms.intent.reference),
      ]);
    },
    openTokenPayout,
  ],
  [
    'pays the caller directly and once more from inside another program',
    'sent',
    'payments.wrong_amount',
    (world) =>
      signFor(world, [
        reallocate({
          account: world.payout.publicKey,
          payer: world.payer.publicKey,
          owner: world.payer.publicKey,
        }),
        ...payment(world),
      ]),
    openTokenPayout,
  ],
  [
    'also has other programs move the payer’s lamports to others',
    'sent',
    'accepted',
    async (world) => {
      const table = await createLookupTable(world, [stranger()]);
      const { instruction } = openAssociatedAccount({
        payer: world.payer.publicKey,
        owner: world.payout.publicKey,
        mint: WRAPPED_SOL,
      });
      return signFor(world, [instruction, ...payment(world), extendTable(world, table)]);
    },
  ],
  [
    'uses a durable nonce',
    'payments.durable_nonce',
    'accepted',
    async (world) => {
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
  ],
  [
    'advances a nonce in a later instruction',
    'sent',
    'accepted',
    async (world) => {
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
  ],
  [
    'has transfer instructions with extra bytes and accounts',
    'sent',
    'accepted',
    (world) => {
      const legs = payment(world);
      for (const leg of legs) {
        leg.data = Buffer.concat([leg.data, Buffer.from([1, 2, 3])]);
        naming(leg, stranger().toBase58());
      }
      return signFor(world, legs);
    },
  ],
];

const guards = ({ payer }: HostileWorld) => ({
  before: [lighthouseGuard(payer.publicKey)],
  after: [lighthouseGuard(payer.publicKey)],
});
const everything = (world: HostileWorld) => {
  const [extras, guard] = [walletExtras(world.payer), guards(world)];
  return { before: [...extras.before, ...guard.before], after: [...guard.after, ...extras.after] };
};

const wallets: readonly Row[] = [
  [
    'has a compute budget before its transfers and a memo after them',
    'sent',
    'accepted',
    changed(({ payer }) => walletExtras(payer)),
  ],
  ['is guarded by Lighthouse before and after', 'sent', 'accepted', changed(guards)],
  ['has all harmless extras', 'sent', 'accepted', changed(everything)],
  [
    'has all harmless extras as v0',
    'sent',
    'accepted',
    changed((world) => ({ ...everything(world), version: 0 })),
  ],
  [
    'has an instruction between its transfers',
    'sent',
    'accepted',
    (world) =>
      signFor(
        world,
        payment(world).flatMap((leg, index) => [
          lighthouseGuard(world.payer.publicKey),
          leg,
          memo(String(index)),
        ]),
      ),
  ],
  [
    'takes an unrelated account from a lookup table',
    'sent',
    'accepted',
    async (world) => {
      const other = stranger();
      return signFor(
        world,
        [...payment(world), transfer({ from: world.payer.publicKey, to: other, lamports: 1_000_000 })],
        { version: 0, tables: [await createLookupTable(world, [other])] },
      );
    },
  ],
  [
    'takes the payout wallet from a lookup table',
    'payments.wrong_recipient',
    'accepted',
    async (world) =>
      signFor(world, payment(world), {
        version: 0,
        tables: [await createLookupTable(world, [world.payout.publicKey])],
      }),
  ],
  [
    'takes the platform wallet from a lookup table',
    'payments.wrong_recipient',
    'accepted',
    async (world) =>
      signFor(world, payment(world), {
        version: 0,
        tables: [await createLookupTable(world, [platform.publicKey])],
      }),
  ],
  ['has the maximum length', 'sent', 'accepted', (world) => padTo(world, 1232)],
  ['is one byte too long', 'payments.rejected_by_chain', 'unlandable', (world) => padTo(world, 1233)],
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

const forgeries: readonly Row[] = [
  [
    'is not signed',
    'payments.transaction_invalid',
    'payments.pending',
    forged((bytes) => void bytes.fill(0, 1, 65)),
  ],
  [
    'has an invalid signature',
    'payments.transaction_invalid',
    'payments.pending',
    forged((bytes) => void bytes.fill(7, 1, 65)),
  ],
  [
    'carries the signature of another payment',
    'payments.transaction_invalid',
    'payments.pending',
    forged((bytes, world) =>
      bytes.set(signPayment({ ...world, changes: { callerLamports: 1n } }).slice(1, 65), 1),
    ),
  ],
  [
    'lacks one of two signatures',
    'payments.transaction_invalid',
    'payments.pending',
    (world) => {
      const witness = Keypair.generate();
      const bytes = signFor(world, [...payment(world), memo('witnessed', [witness.publicKey])], {
        signers: [world.payer, witness],
      });
      return bytes.fill(0, 65, 129);
    },
  ],
  [
    'has an amount changed after it was signed',
    'payments.transaction_invalid',
    'payments.pending',
    forged((bytes) => bytes.set([(bytes.at(-2) ?? 0) ^ 1], bytes.length - 2)),
  ],
  ['is cut off', 'payments.transaction_invalid', 'unlandable', forged((bytes) => bytes.slice(0, -10))],
  [
    'has bytes after its end',
    'payments.transaction_invalid',
    'unlandable',
    forged((bytes) => Uint8Array.of(...bytes, 0, 0)),
  ],
  [
    'has an unknown version',
    'payments.transaction_invalid',
    'unlandable',
    forged((bytes) => bytes.set([0x81], 65)),
  ],
];

const chainRefusals: readonly Row[] = [
  [
    'pays from a wallet that holds too little',
    'payments.insufficient_funds',
    'payments.failed_on_chain',
    async (world) => signPayment({ ...world, payer: await createFundedWallet(0.1) }),
  ],
  [
    'pays from an empty wallet',
    'payments.insufficient_funds',
    'payments.pending',
    (world) => signPayment({ ...world, payer: Keypair.generate() }),
  ],
  [
    'would leave the payer under the rent-exempt minimum',
    'payments.insufficient_funds',
    'payments.failed_on_chain',
    async (world) => signPayment({ ...world, payer: await createFundedWallet(0.500_006) }),
  ],
  [
    'has a blockhash of another cluster',
    'payments.blockhash_expired',
    'payments.pending',
    (world) => signFor(world, payment(world), { blockhash: stranger().toBase58() }),
  ],
  [
    'fails in an instruction after its transfers',
    'payments.insufficient_funds',
    'payments.failed_on_chain',
    changed(({ payer }) => ({
      after: [transfer({ from: payer.publicKey, to: stranger(), lamports: 100_000_000_000 })],
    })),
  ],
  [
    'calls a program that does not exist',
    'payments.rejected_by_chain',
    'payments.pending',
    (world) => {
      const nowhere = lighthouseGuard(world.payer.publicKey);
      nowhere.programId = stranger();
      return signFor(world, [...payment(world), nowhere]);
    },
  ],
  [
    'names an account twice',
    'payments.rejected_by_chain',
    'payments.pending',
    (world) => {
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
  ],
];

const later = (milliseconds: number) => async (world: HostileWorld) => {
  await world.app.advance(milliseconds);
  return signFor(world, payment(world), { blockhash: await latestBlockhash() });
};

const times: readonly Row[] = [
  ['is signed in the last minute of its intent', 'sent', 'accepted', later(INTENT_LIFETIME_MS - MINUTE_MS)],
  [
    'is signed a minute after its intent has ended',
    'payments.intent_expired',
    'accepted',
    later(INTENT_LIFETIME_MS + MINUTE_MS),
  ],
  [
    'is signed after the last permitted block time',
    'payments.intent_expired',
    'payments.outside_time_window',
    later(INTENT_LIFETIME_MS + BLOCKHASH_LIFETIME_MS + CHAIN_CLOCK_SKEW_MS + MINUTE_MS),
  ],
  [
    'is signed almost a day after its intent',
    'payments.intent_expired',
    'payments.outside_time_window',
    later(DAY_MS - MINUTE_MS),
  ],
  [
    'is signed after the price went up',
    'sent',
    'accepted',
    async (world) => {
      await readAnswer(world.caller.patch('/api/user/caller-profile', { monthlyFee: '5' }));
      return later(MINUTE_MS)(world);
    },
  ],
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
].map(([name, sent, claimed, build, open = openWorld]): Required<Row> => [name, sent, claimed, build, open]);
