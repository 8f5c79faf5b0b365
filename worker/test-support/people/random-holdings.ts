import { Keypair, SystemProgram, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { SECOND_MS, STABLE_COIN_MINTS } from '#schema/constants.ts';
import type { FoundHoldings } from '#schema/rules/calls/call-holdings.ts';
import { createFundedWallet, LAMPORTS, rpc } from '../payments/chain.ts';
import { createRandom, type Random } from '../seeded-random.ts';
import {
  accountOf,
  closeTokenAccount,
  issueToken,
  landInstructions,
  localToken,
  mintTokens,
  openAccount,
  openSpareAccount,
  sendBetween,
  sendTokens,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  type TestToken,
  wrappedSol,
  wrapSol,
} from './tokens.ts';

const STOCK = 1_000_000_000_000n;
/** In lamports. */
const MAX_PRICE = LAMPORTS / 100;

/** A pool that trades tokens of both token programs, and an unrelated wallet. */
export interface HoldingsMarket {
  readonly pool: Keypair;
  readonly stranger: Keypair;
  readonly tokens: readonly TestToken[];
  readonly coin: TestToken;
}

export async function createHoldingsMarket(): Promise<HoldingsMarket> {
  const [pool, stranger] = [await createFundedWallet(1_000), await createFundedWallet(1)];
  const tokens = [
    await issueToken({ issuer: pool, supply: STOCK, decimals: 6, program: TOKEN_2022_PROGRAM }),
    await issueToken({ issuer: pool, supply: STOCK, decimals: 9, program: TOKEN_PROGRAM }),
  ];
  const coin = localToken({ mint: STABLE_COIN_MINTS[0] ?? '', decimals: 6 });
  const open = (token: TestToken, owner: PublicKey) => openAccount({ token, owner, payer: pool.publicKey });
  await landInstructions(
    [pool, coin.issuer],
    ...tokens.map((token) => open(token, stranger.publicKey)),
    open(coin, pool.publicKey),
    mintTokens({ token: coin, to: pool.publicKey, amount: STOCK }),
    ...wrapSol(pool.publicKey, 100 * LAMPORTS),
  );
  return { pool, stranger, tokens, coin };
}

type Effect = Partial<Record<'buy' | 'sale' | 'received' | 'moved', bigint>> & { lamports?: bigint | null };

interface Deal {
  readonly signers: readonly [Keypair, ...Keypair[]];
  readonly instructions: readonly TransactionInstruction[];
  readonly effect: Effect;
}

export interface RandomHoldings {
  readonly token: TestToken;
  readonly wallets: readonly Keypair[];
  /** A description of each transaction. */
  readonly made: readonly string[];
  readonly expected: FoundHoldings;
  /** Unix ms. */
  readonly calledAt: number;
  readonly endedAt: number;
}

interface RandomHoldingsOptions {
  readonly market: HoldingsMarket;
  readonly seed: number;
  readonly now: () => number;
  readonly advance: (milliseconds: number) => Promise<void>;
}

/** Buys, sells and moves a token at random before a call, during it and after its end. */
export async function makeRandomHoldings({
  market,
  seed,
  now,
  advance,
}: RandomHoldingsOptions): Promise<RandomHoldings> {
  const random = createRandom(seed);
  const token = random.pick(market.tokens);
  const trader = await createTrader({ market, random, token });
  const made: string[] = [];
  const expected = {
    decimals: 0,
    heldBefore: 0n,
    bought: 0n,
    spentLamports: 0n as bigint | null,
    firstBoughtAt: null as number | null,
    acquired: 0n,
    sold: 0n,
    firstSoldAt: null as number | null,
    movedAway: 0n,
  };
  const act = async (count: number, note: (effect: Effect, at: number) => void) => {
    const landed: { effect: Effect; signature: string }[] = [];
    for (let number = 0; number < count; number++) {
      const { name, deal } = trader.pick();
      // Block times are whole seconds.
      await advance(SECOND_MS * random.between(2, 90));
      const signature = await landInstructions(deal.signers, ...deal.instructions);
      landed.push({ effect: deal.effect, signature });
      made.push(name);
    }
    await advance(2 * SECOND_MS);
    for (const { effect, signature } of landed) note(effect, await blockTimeOf(signature));
    if (count > 0) expected.decimals = token.decimals;
  };
  await act(
    random.between(0, 7),
    ({ buy = 0n, sale = 0n, received = 0n, moved = 0n, lamports = null }, at) => {
      expected.heldBefore += buy + received - sale - moved;
      if (expected.heldBefore === 0n) {
        Object.assign(expected, { bought: 0n, spentLamports: 0n, firstBoughtAt: null });
      } else if (buy > 0n) {
        expected.bought += buy;
        const { spentLamports } = expected;
        expected.spentLamports =
          spentLamports === null || lamports === null ? null : spentLamports + lamports;
        expected.firstBoughtAt ??= at;
      }
    },
  );
  const calledAt = now();
  await act(random.between(0, 7), ({ buy = 0n, sale = 0n, received = 0n, moved = 0n }, at) => {
    expected.acquired += buy + received;
    expected.sold += sale;
    expected.movedAway += moved;
    if (sale > 0n) expected.firstSoldAt ??= at;
  });
  const endedAt = now();
  const { decimals } = expected;
  await act(random.between(0, 2), () => undefined);
  return { token, wallets: trader.wallets, made, expected: { ...expected, decimals }, calledAt, endedAt };
}

async function blockTimeOf(signature: string): Promise<number> {
  const { blockTime } = await rpc<{ blockTime: number }>('getTransaction', signature, {
    commitment: 'confirmed',
  });
  return blockTime * SECOND_MS;
}

interface TraderOptions {
  readonly market: HoldingsMarket;
  readonly random: Random;
  readonly token: TestToken;
}

/** A person with one or two wallets. Each may have a second account of the token. */
async function createTrader({ market, random, token }: TraderOptions) {
  const { pool, stranger, coin } = market;
  const wallets = [
    await createFundedWallet(),
    ...(random.between(0, 1) === 1 ? [await createFundedWallet()] : []),
  ];
  const main = (wallet: Keypair) => accountOf(token, wallet.publicKey);
  for (const wallet of wallets) {
    await landInstructions(
      [pool, coin.issuer],
      openAccount({ token: coin, owner: wallet.publicKey, payer: pool.publicKey }),
      mintTokens({ token: coin, to: wallet.publicKey, amount: STOCK / 1_000n }),
    );
  }
  const spares = new Map<Keypair, Keypair>();
  const held = new Map<string, bigint>();
  const heldIn = (account: PublicKey) => held.get(account.toBase58()) ?? 0n;
  const add = (account: PublicKey, amount: bigint) =>
    void held.set(account.toBase58(), heldIn(account) + amount);

  const pick = (): { name: string; deal: Deal } => {
    const me = random.pick(wallets);
    const other = random.pick(wallets);
    const own = main(me);
    const open = openAccount({ token, owner: me.publicKey, payer: me.publicKey });
    const price = 1 + random.between(0, MAX_PRICE - 1);
    const amount = BigInt(1 + random.between(0, 999_999));
    const part =
      random.between(0, 2) === 0 ? heldIn(own) : (heldIn(own) * BigInt(random.between(1, 99))) / 100n;
    const sol = (from: Keypair, to: Keypair) =>
      SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: price });
    const send = (
      of: Pick<TestToken, 'mint' | 'program' | 'decimals'>,
      from: Keypair,
      to: Keypair,
      units: bigint,
    ) => sendTokens({ token: of, from: from.publicKey, to: to.publicKey, amount: units });
    const spare = spares.get(me);

    const buys: Record<string, () => Deal> = {
      'a buy for SOL': () => ({
        signers: [me, pool],
        instructions: [open, sol(me, pool), send(token, pool, me, amount)],
        effect: { buy: amount, lamports: BigInt(price) },
      }),
      'a buy for wrapped SOL': () => ({
        signers: [me, pool],
        instructions: [
          open,
          ...wrapSol(me.publicKey, price),
          send(wrappedSol, me, pool, BigInt(price)),
          send(token, pool, me, amount),
        ],
        effect: { buy: amount, lamports: BigInt(price) },
      }),
      'a buy for a stable coin': () => ({
        signers: [me, pool],
        instructions: [open, send(coin, me, pool, BigInt(price)), send(token, pool, me, amount)],
        effect: { buy: amount, lamports: null },
      }),
      'an airdrop': () => ({
        signers: [pool],
        instructions: [
          openAccount({ token, owner: me.publicKey, payer: pool.publicKey }),
          mintTokens({ token, to: me.publicKey, amount }),
        ],
        effect: { received: amount },
      }),
    };
    const sales: Record<string, () => Deal> = {
      'a sale for SOL': () => ({
        signers: [me, pool],
        instructions: [send(token, me, pool, part), sol(pool, me)],
        effect: { sale: part },
      }),
      'a sale for wrapped SOL': () => ({
        signers: [me, pool],
        instructions: [
          openAccount({ token: wrappedSol, owner: me.publicKey, payer: me.publicKey }),
          send(token, me, pool, part),
          send(wrappedSol, pool, me, BigInt(price)),
        ],
        effect: { sale: part },
      }),
      'a sale for a stable coin': () => ({
        signers: [me, pool],
        instructions: [send(token, me, pool, part), send(coin, pool, me, BigInt(price))],
        effect: { sale: part },
      }),
      'a gift': () => ({
        signers: [me],
        instructions: [send(token, me, stranger, part)],
        effect: { moved: part },
      }),
    };
    if (random.between(0, 99) < 30 && heldIn(own) > 0n) return internal();
    const canSell = part > 0n;
    const kinds = canSell && random.between(0, 99) < 55 ? sales : buys;
    const name = random.pick(Object.keys(kinds));
    const deal = kinds[name]?.();
    if (deal === undefined) throw new Error(name);
    add(own, kinds === sales ? -part : amount);
    return { name, deal };

    /** Picks a transaction that changes no total. */
    function internal(): { name: string; deal: Deal } {
      const all = heldIn(own);
      if (other !== me) {
        add(own, -part);
        add(main(other), part);
        const to = openAccount({ token, owner: other.publicKey, payer: me.publicKey });
        return made('a transfer to the other wallet', [me], [to, send(token, me, other, part)]);
      }
      const choice = random.between(0, 3);
      if (choice === 0) {
        return made('a failed sale', [me, pool], [send(token, me, pool, STOCK * 1_000n), sol(pool, me)]);
      }
      if (choice === 1) return made('SOL sent', [me], [sol(me, stranger)]);
      if (spare === undefined) {
        const account = Keypair.generate();
        spares.set(me, account);
        add(own, -all);
        add(account.publicKey, all);
        return made(
          'all moved to a new account, and the old one closed',
          [me, account],
          [
            ...openSpareAccount({ token, owner: me.publicKey, account: account.publicKey }),
            between(own, account.publicKey, all),
            closeTokenAccount({ program: token.program, account: own, owner: me.publicKey }),
          ],
        );
      }
      const back = heldIn(spare.publicKey);
      spares.delete(me);
      add(spare.publicKey, -back);
      add(own, back);
      return made(
        'all moved back, and the second account closed',
        [me],
        [
          open,
          between(spare.publicKey, own, back),
          closeTokenAccount({ program: token.program, account: spare.publicKey, owner: me.publicKey }),
        ],
      );
    }

    function between(from: PublicKey, to: PublicKey, units: bigint) {
      return sendBetween({ program: token.program, from, to, owner: me.publicKey, amount: units });
    }
  };
  return { wallets, pick };
}

const made = (name: string, signers: Deal['signers'], instructions: Deal['instructions']) => ({
  name,
  deal: { signers, instructions, effect: {} },
});
