import { type Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { STABLE_COIN_MINTS } from '#schema/constants.ts';
import { createFundedWallet, LAMPORTS } from './chain.ts';
import { createRandom, type Random } from './seeded-random.ts';
import {
  closeAccount,
  issueToken,
  landInstructions,
  localToken,
  mintTokens,
  openAccount,
  sendTokens,
  sendTokensAsDelegate,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  type TestToken,
  type TokenKind,
  wrappedSol,
  wrapSol,
} from './tokens.ts';

export interface Made {
  readonly kind: string;
  readonly signature: string;
  readonly names: readonly Keypair[];
  readonly buys: readonly {
    readonly token: TokenKind;
    readonly amount: bigint;
    readonly isFor: (owners: readonly Keypair[]) => boolean;
  }[];
}

/** A user's trading wallet, their second wallet, and the counterparties. */
export interface TradingWorld {
  readonly wallet: Keypair;
  readonly second: Keypair;
  readonly issuer: Keypair;
  /** Sells every token, wrapped SOL and both stable coins. */
  readonly pool: Keypair;
  readonly farPool: Keypair;
  readonly stranger: Keypair;
  /** An address without a key, like a program's. The pool's operator may send the vault's `delegated` tokens. */
  readonly vault: PublicKey;
  readonly coins: readonly TestToken[];
  readonly plain: readonly TestToken[];
  readonly undivided: TestToken;
  readonly delegated: TestToken;
}

const STOCK = 1_000_000_000_000n;
const MINT_COUNT_PER_TRANSACTION = 3;

/** Creates the wallets. The user's two hold SOL, wrapped SOL, stable coins and some of every plain token. */
export async function createTradingWorld(): Promise<TradingWorld> {
  const [wallet, second, issuer, pool, farPool, stranger] = await Promise.all(
    [1_000, 1_000, 1_000, 1_000, 1_000, 1].map((sol) => createFundedWallet(sol)),
  );
  if (!wallet || !second || !issuer || !pool || !farPool || !stranger) throw new Error('No wallets');
  const coins = STABLE_COIN_MINTS.map((mint) => localToken({ mint, decimals: 6 }));
  const plain: TestToken[] = [];
  for (const [decimals, program] of [
    [5, TOKEN_PROGRAM],
    [9, TOKEN_PROGRAM],
    [6, TOKEN_2022_PROGRAM],
    [0, TOKEN_PROGRAM],
  ] as const) {
    plain.push(await issueToken({ issuer, supply: STOCK, decimals, program }));
  }
  const undivided = await issueToken({ issuer, supply: 500n, decimals: 0 });
  const delegated = await issueToken({
    issuer,
    supply: STOCK,
    decimals: 6,
    program: TOKEN_2022_PROGRAM,
    delegate: pool.publicKey,
  });
  const vault = PublicKey.findProgramAddressSync([wallet.publicKey.toBytes()], TOKEN_PROGRAM)[0];
  const stock = (token: TestToken, to: PublicKey, amount = STOCK) => [
    openAccount({ token, owner: to, payer: token.issuer.publicKey }),
    mintTokens({ token, to, amount }),
  ];
  const everybody = [pool, farPool, wallet, second].map(({ publicKey }) => publicKey);
  const stocked = [
    ...plain.map((token) => stock(token, pool.publicKey)),
    ...plain.flatMap((token) => [farPool, wallet, second].map(({ publicKey }) => stock(token, publicKey))),
  ];
  for (let start = 0; start < stocked.length; start += MINT_COUNT_PER_TRANSACTION) {
    await landInstructions([issuer], ...stocked.slice(start, start + MINT_COUNT_PER_TRANSACTION).flat());
  }
  for (const coin of coins) {
    for (const owner of everybody) {
      await landInstructions(
        [issuer, coin.issuer],
        openAccount({ token: coin, owner, payer: issuer.publicKey }),
        mintTokens({ token: coin, to: owner, amount: STOCK }),
      );
    }
  }
  await landInstructions(
    [issuer],
    ...stock(delegated, vault),
    openAccount({ token: wrappedSol, owner: vault, payer: issuer.publicKey }),
  );
  await landInstructions(
    [issuer],
    openAccount({ token: undivided, owner: pool.publicKey, payer: issuer.publicKey }),
    sendTokens({ token: undivided, from: issuer.publicKey, to: pool.publicKey, amount: 400n }),
  );
  for (const owner of [pool, farPool, wallet, second]) {
    await landInstructions([owner], ...wrapSol(owner.publicKey, 100 * LAMPORTS));
  }
  return { wallet, second, issuer, pool, farPool, stranger, vault, coins, plain, undivided, delegated };
}

interface Deal {
  readonly signers: readonly [Keypair, ...Keypair[]];
  readonly instructions: readonly TransactionInstruction[];
  readonly buys?: readonly { readonly token: TokenKind; readonly amount: bigint }[];
  /** True if a user with these wallets sees the buys. By default, they must own the trading wallet. */
  readonly isFor?: (owners: readonly Keypair[]) => boolean;
}

/** Creates one transaction of each kind. `me` trades; `other` is the same user's second wallet. */
function createKinds({
  world,
  random,
  me,
  other,
}: {
  world: TradingWorld;
  random: Random;
  me: Keypair;
  other: Keypair;
}) {
  const { issuer, pool, farPool, stranger, vault, coins, undivided, delegated } = world;
  const token = random.pick(world.plain);
  const [first, next] = random.between(0, 1) === 0 ? [0, 1] : [1, 0];
  const another = random.pick(world.plain.filter((each) => each !== token));
  const coin = random.pick(coins);
  // At least 2, because one indivisible token is an NFT.
  const amount = BigInt(2 + random.between(0, 999_999));
  const price = 1 + random.between(0, LAMPORTS / 10 - 1);
  const sol = (to: { publicKey: PublicKey }, lamports = price, from = me) =>
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports });
  const send = (of: TokenKind, from: Keypair, to: Keypair, units = amount) =>
    sendTokens({ token: of, from: from.publicKey, to: to.publicKey, amount: units });
  const open = (of: TokenKind, owner = me, payer = me) =>
    openAccount({ token: of, owner: owner.publicKey, payer: payer.publicKey });
  const tip = () => sol(stranger, 2_000_000 + random.between(0, 999_999));
  const fromVault = (units = amount) =>
    sendTokensAsDelegate({
      token: delegated,
      delegate: pool.publicKey,
      from: vault,
      to: me.publicKey,
      amount: units,
    });
  const bought = [{ token, amount }];
  const twoTokens = [world.plain[first], world.plain[next]].flatMap((each) => each ?? []);

  const buys: Record<string, () => Deal> = {
    'SOL to the issuer': () => ({
      signers: [me, issuer],
      instructions: [open(token), sol(issuer), send(token, issuer, me)],
      buys: bought,
    }),
    'SOL to the issuer, who mints': () => ({
      signers: [me, issuer],
      instructions: [sol(issuer), mintTokens({ token, to: me.publicKey, amount })],
      buys: bought,
    }),
    'SOL to a pool': () => ({
      signers: [me, pool],
      instructions: [sol(pool), send(token, pool, me)],
      buys: bought,
    }),
    'SOL to a pool that pays the fee and sends its token first': () => ({
      signers: [pool, me],
      instructions: [send(token, pool, me), sol(pool)],
      buys: bought,
    }),
    'wrapped SOL to a pool': () => ({
      signers: [me, pool],
      instructions: [send(wrappedSol, me, pool, BigInt(price)), send(token, pool, me)],
      buys: bought,
    }),
    'SOL to a pool, wrapped within the transaction': () => ({
      signers: [me, pool],
      instructions: [
        ...wrapSol(me.publicKey, price),
        send(wrappedSol, me, pool, BigInt(price)),
        send(token, pool, me),
      ],
      buys: bought,
    }),
    'a stable coin to a pool': () => ({
      signers: [me, pool],
      instructions: [send(coin, me, pool, BigInt(price)), send(token, pool, me)],
      buys: bought,
    }),
    'a stable coin, with SOL back': () => ({
      signers: [me, pool],
      instructions: [send(coin, me, pool, BigInt(price)), send(token, pool, me), sol(me, 10, pool)],
      buys: bought,
    }),
    'SOL through two pools': () => ({
      signers: [me, pool, farPool],
      instructions: [sol(farPool), send(another, farPool, pool, 5n), send(token, pool, me)],
      buys: bought,
    }),
    'SOL through a pool’s stable coin': () => ({
      signers: [me, pool, farPool],
      instructions: [sol(farPool), send(coin, farPool, pool, 5n), send(token, pool, me)],
      buys: bought,
    }),
    'SOL through a stranger’s account': () => ({
      signers: [me, issuer, pool],
      instructions: [sol(pool), sol(issuer, price, pool), send(token, issuer, pool), send(token, pool, me)],
      buys: bought,
    }),
    'wrapped SOL to an address without a key': () => ({
      signers: [me, pool],
      instructions: [
        open(delegated),
        sendTokens({ token: wrappedSol, from: me.publicKey, to: vault, amount: BigInt(price) }),
        fromVault(),
      ],
      buys: [{ token: delegated, amount }],
    }),
    'SOL for two tokens': () => ({
      signers: [me, pool],
      instructions: [sol(pool), ...twoTokens.map((each) => send(each, pool, me))],
      buys: twoTokens.map((each) => ({ token: each, amount })),
    }),
    'SOL to a pool, with a tip': () => ({
      signers: [me, pool],
      instructions: [tip(), sol(pool), send(token, pool, me)],
      buys: bought,
    }),
    'SOL to a pool, with a gift': () => ({
      signers: [me, pool, farPool],
      instructions: [sol(pool), send(token, pool, me), send(another, farPool, me, 3n)],
      buys: bought,
    }),
    'SOL for several indivisible tokens': () => ({
      signers: [me, pool],
      instructions: [open(undivided), sol(pool), send(undivided, pool, me, 2n)],
      buys: [{ token: undivided, amount: 2n }],
    }),
    'SOL of one wallet for a token in the other': () => ({
      signers: [me, pool],
      instructions: [sol(pool), send(token, pool, other)],
      buys: bought,
      isFor: (owners) => owners.includes(me) && owners.includes(other),
    }),
    'SOL of one wallet for a token of the other': () => ({
      signers: [me, other],
      instructions: [sol(other), send(token, other, me)],
      buys: bought,
      // To a user without the second wallet, this transaction looks like a purchase from a stranger.
      isFor: (owners) => owners.includes(me) && !owners.includes(other),
    }),
  };

  const others: Record<string, () => Deal> = {
    'a received transfer': () => ({
      signers: [pool],
      instructions: [open(token, me, pool), send(token, pool, me)],
    }),
    'a received transfer whose fee the receiver pays': () => ({
      signers: [me, pool],
      instructions: [send(token, pool, me)],
    }),
    'a sent transfer': () => ({ signers: [me], instructions: [send(token, me, pool)] }),
    'a sale for SOL': () => ({
      signers: [me, pool],
      instructions: [send(token, me, pool), sol(me, price, pool)],
    }),
    'a sale for a stable coin, with a tip': () => ({
      signers: [me, pool],
      instructions: [tip(), send(token, me, pool), send(coin, pool, me)],
    }),
    'a token for a token': () => ({
      signers: [me, pool],
      instructions: [send(token, me, pool), send(another, pool, me)],
    }),
    'a token for a token, with a tip': () => ({
      signers: [me, pool],
      instructions: [tip(), send(token, me, pool), send(another, pool, me)],
    }),
    'a swap of a token and SOL for another token': () => ({
      signers: [me, pool],
      instructions: [sol(pool), send(token, me, pool), send(another, pool, me)],
    }),
    'an airdrop': () => ({
      signers: [issuer],
      instructions: [open(token, me, issuer), mintTokens({ token, to: me.publicKey, amount })],
    }),
    'an airdrop with a tip': () => ({
      signers: [me, issuer],
      instructions: [mintTokens({ token, to: me.publicKey, amount }), tip()],
    }),
    'a gift with a tip': () => ({ signers: [me, pool], instructions: [tip(), send(token, pool, me)] }),
    'a gift with a tip of wrapped SOL': () => ({
      signers: [me, pool],
      instructions: [send(wrappedSol, me, farPool, BigInt(price)), send(token, pool, me)],
    }),
    'a gift beside an unrelated transfer of a stable coin': () => ({
      signers: [me, pool],
      instructions: [send(coin, me, farPool, BigInt(price)), send(token, pool, me)],
    }),
    'a claim with a tip': () => ({
      signers: [me, pool],
      instructions: [open(delegated), fromVault(), tip()],
    }),
    'an NFT': () => ({
      signers: [me, pool],
      instructions: [open(undivided), sol(pool), send(undivided, pool, me, 1n)],
    }),
    'SOL for a stable coin': () => ({ signers: [me, pool], instructions: [sol(pool), send(coin, pool, me)] }),
    'SOL sent': () => ({ signers: [me], instructions: [sol(stranger)] }),
    'SOL received': () => ({ signers: [pool], instructions: [sol(me, price, pool)] }),
    'a stable coin received': () => ({
      signers: [pool],
      instructions: [open(coin, me, pool), send(coin, pool, me)],
    }),
    'wrapping SOL': () => ({ signers: [me], instructions: wrapSol(me.publicKey, price) }),
    'unwrapping SOL and wrapping some again': () => ({
      signers: [me],
      instructions: [
        closeAccount({ token: wrappedSol, owner: me.publicKey }),
        ...wrapSol(me.publicKey, 50 * LAMPORTS),
      ],
    }),
    'opening and closing an account': () => ({
      signers: [me],
      instructions: [
        open(delegated, stranger),
        openAccount({ token: delegated, owner: farPool.publicKey, payer: me.publicKey }),
      ],
    }),
    'a token moved to the other wallet': () => ({ signers: [me], instructions: [send(token, me, other)] }),
    'a swap that fails': () => ({
      signers: [me, pool],
      instructions: [sol(pool), send(token, pool, me, STOCK * 1_000n)],
    }),
    'a swap without enough SOL': () => ({
      signers: [me, pool],
      instructions: [send(token, pool, me), sol(pool, 100_000 * LAMPORTS)],
    }),
  };
  return { buys, others };
}

/** Lands `count` transactions of all kinds in a seeded order and calls `between` after each. */
export async function makeMix({
  world,
  count,
  seed,
  between,
}: {
  world: TradingWorld;
  count: number;
  seed: number;
  between: () => Promise<void>;
}): Promise<Made[]> {
  const random = createRandom(seed);
  const createCurrentKinds = () => {
    const [me, other] =
      random.between(0, 3) === 0 ? [world.second, world.wallet] : [world.wallet, world.second];
    const { buys, others } = createKinds({ world, random, me, other });
    return { me, kinds: { ...buys, ...others } };
  };
  const names = Object.keys(createCurrentKinds().kinds);
  // One transaction of each kind, then random kinds up to `count`. Then shuffles the list.
  const planned = [
    ...names,
    ...Array.from({ length: Math.max(0, count - names.length) }, () => random.pick(names)),
  ].slice(0, count);
  for (let index = planned.length - 1; index > 0; index--) {
    const swapped = random.between(0, index);
    [planned[index], planned[swapped]] = [planned[swapped] ?? '', planned[index] ?? ''];
  }
  const made: Made[] = [];
  for (const kind of planned) {
    const { me, kinds } = createCurrentKinds();
    const deal = kinds[kind]?.();
    if (!deal) throw new Error(`Unknown kind: ${kind}`);
    const { signers, instructions, buys = [], isFor = (owners) => owners.includes(me) } = deal;
    const named = new Set(instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey.toBase58())));
    const owners = [world.wallet, world.second].filter(
      (wallet) => signers.includes(wallet) || named.has(wallet.publicKey.toBase58()),
    );
    made.push({
      kind,
      signature: await landInstructions(signers, ...instructions),
      names: owners,
      buys: buys.map((each) => ({ ...each, isFor })),
    });
    await between();
  }
  return made;
}
