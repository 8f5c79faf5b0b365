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

/** The error codes of sending it, and of claiming it after it landed without us. */
type Row = readonly [
  name: string,
  sent: 'sent' | ErrorCode,
  /** `unlandable`: the cluster rejects it, too. */
  claimed: 'honoured' | 'unlandable' | ErrorCode,
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
  ['is what the page builds', 'sent', 'honoured', changed({})],
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
    'pays the two legs swapped',
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
    'promises more lamports than there are',
    'payments.wrong_amount',
    'payments.failed_on_chain',
    changed({ callerLamports: 2n ** 64n - 1n }),
  ],
  [
    'has the caller’s leg alone',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    (world) => signFor(world, payment(world).slice(0, 1)),
  ],
  [
    'has the platform’s leg alone',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    (world) => signFor(world, [naming(legsOf(world)[1], world.terms.intent.reference)]),
  ],
  [
    'has each leg twice',
    'payments.wrong_amount',
    'payments.wrong_amount',
    (world) => signFor(world, [...payment(world), ...legsOf(world)]),
  ],
  [
    'pays each leg in two halves',
    'sent',
    'honoured',
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
    'pays the wallet that the caller has taken since',
    'payments.wrong_recipient',
    'payments.wrong_recipient',
    changed(async ({ caller }) => {
      const { walletAddress } = await proveWallet(caller, await createFundedWallet(1));
      await readAnswer(caller.patch('/api/user/caller-profile', { walletAddress }));
      return { callerAddress: walletAddress };
    }),
  ],
  [
    'pays the wallet that the caller has left since',
    'sent',
    'honoured',
    changed(async ({ caller }) => {
      const { walletAddress } = await proveWallet(caller, await createFundedWallet(1));
      await readAnswer(caller.patch('/api/user/caller-profile', { walletAddress }));
      return {};
    }),
  ],
  [
    'pays a stranger besides',
    'sent',
    'honoured',
    changed(({ payer }) => ({
      after: [transfer({ from: payer.publicKey, to: stranger(), lamports: 1_000_000 })],
    })),
  ],
];

const payers: readonly Row[] = [
  [
    'pays its legs from two wallets',
    'payments.wrong_amount',
    'payments.wrong_amount',
    changed(async () => ({ platformPayer: await createFundedWallet() })),
  ],
  [
    'pays the caller’s leg from two wallets',
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
    'honoured',
    async (world) => signFor(world, payment(world), { signers: [await createFundedWallet(), world.payer] }),
  ],
  [
    'has its network fee paid by the payout wallet',
    'sent',
    'honoured',
    (world) => signFor(world, payment(world), { signers: [world.payout, world.payer] }),
  ],
  [
    'has its network fee paid by the platform',
    'sent',
    'honoured',
    (world) => signFor(world, payment(world), { signers: [platform, world.payer] }),
  ],
  [
    'has a priority fee paid by the payout wallet that is more than its leg',
    'sent',
    'honoured',
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
    'takes the money out of a wallet that did not sign',
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
    'is paid from an account that a seed opens',
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
    'comes with a gift to both from another wallet',
    'sent',
    'honoured',
    async (world) => {
      const donor = await createFundedWallet();
      const gifts = [world.payout, platform].map(({ publicKey }) =>
        transfer({ from: donor.publicKey, to: publicKey, lamports: 7 }),
      );
      return signFor(world, [...gifts, ...payment(world)], { signers: [world.payer, donor] });
    },
  ],
  [
    'is signed by three more who have nothing to do with it',
    'sent',
    'honoured',
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
    'names a reference of nobody',
    'payments.intent_missing',
    'payments.missing_reference',
    changed(() => ({ reference: stranger().toBase58() })),
  ],
  [
    'names the reference in a memo alone',
    'payments.intent_missing',
    'payments.missing_reference',
    changed(({ terms }) => ({ reference: null, after: [memo(terms.intent.reference)] })),
  ],
  [
    'names the reference in the platform’s leg alone',
    'sent',
    'honoured',
    (world) => signFor(world, [legsOf(world)[0], naming(legsOf(world)[1], world.terms.intent.reference)]),
  ],
  [
    'names the reference as an account to write to',
    'sent',
    'honoured',
    (world) =>
      signFor(world, [
        naming(legsOf(world)[0], world.terms.intent.reference, { isWritable: true }),
        legsOf(world)[1],
      ]),
  ],
  [
    'names the reference in an instruction of its own',
    'sent',
    'honoured',
    (world) => signFor(world, [...legsOf(world), mention(world, world.terms.intent.reference)]),
  ],
  [
    'names the reference in no instruction at all',
    'sent',
    'honoured',
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
    'gives the reference lamports',
    'sent',
    'honoured',
    changed(({ payer, terms }) => ({
      after: [
        transfer({ from: payer.publicKey, to: new PublicKey(terms.intent.reference), lamports: 1_000_000 }),
      ],
    })),
  ],
  [
    'names the reference in a lookup table',
    'payments.intent_missing',
    'honoured',
    async (world) =>
      signFor(world, payment(world), {
        version: 0,
        tables: [await createLookupTable(world, [new PublicKey(world.terms.intent.reference)])],
      }),
  ],
  [
    'names the references of two people’s payments, and pays one',
    'payments.intent_missing',
    'honoured',
    async (world) => {
      const other = await openIntent(await world.app.signIn('another'), world.caller.id);
      return signFor(
        world,
        payment(world).map((leg) => naming(leg, other.intent.reference)),
      );
    },
  ],
  [
    'names the references of payments to two callers, and pays one',
    'payments.intent_missing',
    'honoured',
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
    'names its references at two prices to one caller, and pays the one it names first',
    'payments.intent_missing',
    'honoured',
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
    'and the payout wallet opens an account for the payer with the money',
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
    'and the payout wallet pays the rent of a token account inside another program',
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
    'and the payout wallet pays itself',
    'sent',
    'honoured',
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
    'and a third wallet refunds the payer out of its own pocket',
    'sent',
    'honoured',
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

/** A payout wallet that is a Token-2022 account, too. */
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
  // Nine tenths are exactly what the program moves.
  await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: '0.0000464' }));
  return { app, caller, payout, follower, payer, terms: await openIntent(follower, caller.id) };
}

const instruments: readonly Row[] = [
  [
    'opens the payout account instead of paying into it',
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
      if (!own || !theirs || !ours) throw new Error('Three accounts');
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
    'unwraps the exact SOL into the wallets of both',
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
    'withdraws the exact legs from a nonce account',
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
    'has the caller’s leg moved by another program',
    'payments.wrong_recipient',
    'honoured',
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
    'has the caller’s leg once by itself and once by another program',
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
    'also has other programs move the payer’s money elsewhere',
    'sent',
    'honoured',
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
    'honoured',
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
    'advances a nonce without being durable',
    'sent',
    'honoured',
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
    'has transfers with more bytes and accounts than they need',
    'sent',
    'honoured',
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
    'has a compute budget before it and a memo after it',
    'sent',
    'honoured',
    changed(({ payer }) => walletExtras(payer)),
  ],
  ['is guarded by Lighthouse before and after', 'sent', 'honoured', changed(guards)],
  ['has all of it', 'sent', 'honoured', changed(everything)],
  ['has all of it, as v0', 'sent', 'honoured', changed((world) => ({ ...everything(world), version: 0 }))],
  [
    'has an instruction between its legs',
    'sent',
    'honoured',
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
    'brings an account that is not its own business out of a lookup table',
    'sent',
    'honoured',
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
    'brings the payout wallet out of a lookup table',
    'payments.wrong_recipient',
    'honoured',
    async (world) =>
      signFor(world, payment(world), {
        version: 0,
        tables: [await createLookupTable(world, [world.payout.publicKey])],
      }),
  ],
  [
    'brings the platform out of a lookup table',
    'payments.wrong_recipient',
    'honoured',
    async (world) =>
      signFor(world, payment(world), {
        version: 0,
        tables: [await createLookupTable(world, [platform.publicKey])],
      }),
  ],
  ['is as long as a transaction may be', 'sent', 'honoured', (world) => padTo(world, 1232)],
  ['is a byte longer than that', 'payments.rejected_by_chain', 'unlandable', (world) => padTo(world, 1233)],
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
    'is signed by nobody’s key',
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
    'is of a version that there is not',
    'payments.transaction_invalid',
    'unlandable',
    forged((bytes) => bytes.set([0x81], 65)),
  ],
];

const chainRefusals: readonly Row[] = [
  [
    'is from a wallet that holds too little',
    'payments.insufficient_funds',
    'payments.failed_on_chain',
    async (world) => signPayment({ ...world, payer: await createFundedWallet(0.1) }),
  ],
  [
    'is from a wallet that holds nothing',
    'payments.insufficient_funds',
    'payments.pending',
    (world) => signPayment({ ...world, payer: Keypair.generate() }),
  ],
  [
    'would leave the wallet less than an account must hold',
    'payments.insufficient_funds',
    'payments.failed_on_chain',
    async (world) => signPayment({ ...world, payer: await createFundedWallet(0.500_006) }),
  ],
  [
    'is for another cluster',
    'payments.blockhash_expired',
    'payments.pending',
    (world) => signFor(world, payment(world), { blockhash: stranger().toBase58() }),
  ],
  [
    'fails in an instruction after its legs',
    'payments.insufficient_funds',
    'payments.failed_on_chain',
    changed(({ payer }) => ({
      after: [transfer({ from: payer.publicKey, to: stranger(), lamports: 100_000_000_000 })],
    })),
  ],
  [
    'calls a program that there is not',
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
  ['is signed in the last minute of its intent', 'sent', 'honoured', later(INTENT_LIFETIME_MS - MINUTE_MS)],
  [
    'is signed a minute after that',
    'payments.intent_expired',
    'honoured',
    later(INTENT_LIFETIME_MS + MINUTE_MS),
  ],
  [
    'is signed when its blockhash could not have lived',
    'payments.intent_expired',
    'payments.outside_time_window',
    later(INTENT_LIFETIME_MS + BLOCKHASH_LIFETIME_MS + CHAIN_CLOCK_SKEW_MS + MINUTE_MS),
  ],
  [
    'is signed a day later',
    'payments.intent_expired',
    'payments.outside_time_window',
    later(DAY_MS - MINUTE_MS),
  ],
  [
    'is signed after the price went up',
    'sent',
    'honoured',
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
