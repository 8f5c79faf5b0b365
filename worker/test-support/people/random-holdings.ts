import { Keypair, SystemProgram, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import { STABLE_COIN_MINTS } from '#schema/rules/calls/stable-coin-mints.ts';
import type { FoundHoldings, HoldingsMovement } from '#schema/rules/calls/call-holdings.ts';
import { formatUnits } from '#schema/rules/money/units.ts';
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
/** The largest amount of a trade in the token's smallest units, and its value. */
const MAX_UNITS = 1_000_000;
const MAX_USD = 200;
export const SOL_USD = 20_000;

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

interface Effect {
  readonly kind: HoldingsMovement['kind'];
  readonly amount: bigint;
  /** The amount paid or received, in USD. Transfers have none. */
  readonly usd?: number;
}

interface Deal {
  readonly signers: readonly [Keypair, ...Keypair[]];
  readonly instructions: readonly TransactionInstruction[];
  readonly effect: Effect | null;
}

export interface RandomHoldings {
  readonly token: TestToken;
  readonly wallets: readonly Keypair[];
  /** A description of each transaction. */
  readonly made: readonly string[];
  readonly expected: FoundHoldings;
  /** The token's price in USD, which never changes. */
  readonly price: number;
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
  const price = (MAX_USD * 10 ** token.decimals) / MAX_UNITS;
  const trader = await createTrader({ market, random, token });
  const made: string[] = [];
  const act = async (count: number, maxSeconds = 90) => {
    const landed: { effect: Effect | null; signature: string }[] = [];
    for (let number = 0; number < count; number++) {
      const { name, deal } = trader.pick();
      // Block times are whole seconds.
      await advance(SECOND_MS * random.between(2, maxSeconds));
      const signature = await landInstructions(deal.signers, ...deal.instructions);
      landed.push({ effect: deal.effect, signature });
      made.push(name);
    }
    await advance(2 * SECOND_MS);
    const effects = [];
    for (const { effect, signature } of landed) {
      if (effect !== null) effects.push({ ...effect, at: await blockTimeOf(signature) });
    }
    return effects;
  };
  const early = await act(random.between(0, 3));
  await advance(HOUR_MS);
  const within = await act(random.between(0, 5));
  const calledAt = now();
  within.push(...(await act(random.between(0, 5))));
  const endedAt = now();
  within.push(...(await act(random.between(0, 3))));
  await advance(HOUR_MS + MINUTE_MS);
  within.push(...(await act(random.between(0, 2), HOUR_MS / SECOND_MS)));
  await advance(DAY_MS);
  await act(random.between(0, 2));
  const isIn = ({ kind }: Effect) => kind === 'bought' || kind === 'received';
  const heldBefore = early.reduce((held, each) => (isIn(each) ? held + each.amount : held - each.amount), 0n);
  const movements = within.flatMap(({ at, kind, amount, usd }): HoldingsMovement[] => {
    const tokens = formatUnits(amount, token.decimals);
    const worth = usd ?? Number(tokens) * price;
    const isKnown = usd !== undefined || at <= endedAt + HOUR_MS;
    if (worth < 20) return [];
    return [
      {
        at: new Date(at).toISOString(),
        kind,
        amount: tokens,
        usd: isKnown ? Math.round(worth * 100) / 100 : null,
      },
    ];
  });
  return {
    token,
    wallets: trader.wallets,
    made,
    expected: { heldBefore: formatUnits(heldBefore, token.decimals), movements },
    price,
    calledAt,
    endedAt,
  };
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
  const other = market.tokens.find((each) => each !== token) ?? token;
  const wallets = [
    await createFundedWallet(),
    ...(random.between(0, 1) === 1 ? [await createFundedWallet()] : []),
  ];
  const main = (wallet: Keypair) => accountOf(token, wallet.publicKey);
  for (const wallet of wallets) {
    await landInstructions(
      [pool, coin.issuer],
      openAccount({ token: coin, owner: wallet.publicKey, payer: pool.publicKey }),
      mintTokens({ token: coin, to: wallet.publicKey, amount: STOCK / 100n }),
      openAccount({ token: other, owner: wallet.publicKey, payer: pool.publicKey }),
      mintTokens({ token: other, to: wallet.publicKey, amount: 1_000_000n }),
    );
  }
  const spares = new Map<Keypair, Keypair>();
  const held = new Map<string, bigint>();
  const heldIn = (account: PublicKey) => held.get(account.toBase58()) ?? 0n;
  const add = (account: PublicKey, amount: bigint) =>
    void held.set(account.toBase58(), heldIn(account) + amount);

  const pick = (): { name: string; deal: Deal } => {
    const me = random.pick(wallets);
    const second = random.pick(wallets);
    const own = main(me);
    const open = openAccount({ token, owner: me.publicKey, payer: me.publicKey });
    const isDust = random.between(0, 4) === 0;
    const amount = BigInt(random.between(1, isDust ? 99 : MAX_UNITS - 1));
    const part =
      random.between(0, 2) === 0 ? heldIn(own) : (heldIn(own) * BigInt(random.between(1, 99))) / 100n;
    const worth = (units: bigint) => (Number(units) / MAX_UNITS) * MAX_USD * (random.between(80, 120) / 100);
    const sol = (from: Keypair, to: Keypair, lamports: number) =>
      SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports });
    const send = (
      of: Pick<TestToken, 'mint' | 'program' | 'decimals'>,
      from: Keypair,
      to: Keypair,
      units: bigint,
    ) => sendTokens({ token: of, from: from.publicKey, to: to.publicKey, amount: units });
    const spare = spares.get(me);

    /** The lamports and coins of about the same value, with what they are worth in USD. */
    const paidFor = (traded: bigint) => {
      const lamports = 1 + Math.round((worth(traded) / SOL_USD) * LAMPORTS);
      const coins = BigInt(1 + Math.round(worth(traded) * 1e6));
      return { lamports, inSol: (lamports / 1e9) * SOL_USD, coins, inCoins: Number(coins) / 1e6 };
    };
    const cost = paidFor(amount);
    const proceeds = paidFor(part);
    const bought = (usd: number): Effect => ({ kind: 'bought', amount, usd });
    const sold = (usd: number): Effect => ({ kind: 'sold', amount: part, usd });
    const received: Effect = { kind: 'received', amount };
    const sent: Effect = { kind: 'sent', amount: part };
    const airdrop = [
      openAccount({ token, owner: me.publicKey, payer: pool.publicKey }),
      mintTokens({ token, to: me.publicKey, amount }),
    ];

    const buys: Record<string, () => Deal> = {
      'a buy for SOL': () => ({
        signers: [me, pool],
        instructions: [open, sol(me, pool, cost.lamports), send(token, pool, me, amount)],
        effect: bought(cost.inSol),
      }),
      'a buy for wrapped SOL': () => ({
        signers: [me, pool],
        instructions: [
          open,
          ...wrapSol(me.publicKey, cost.lamports),
          send(wrappedSol, me, pool, BigInt(cost.lamports)),
          send(token, pool, me, amount),
        ],
        effect: bought(cost.inSol),
      }),
      'a buy for a stable coin': () => ({
        signers: [me, pool],
        instructions: [open, send(coin, me, pool, cost.coins), send(token, pool, me, amount)],
        effect: bought(cost.inCoins),
      }),
      'an airdrop': () => ({ signers: [pool], instructions: airdrop, effect: received }),
      'an airdrop with a tip for somebody else': () => ({
        signers: [pool, me],
        instructions: [...airdrop, sol(me, stranger, cost.lamports)],
        effect: received,
      }),
      'a token for another token': () => ({
        signers: [me, pool],
        instructions: [open, send(other, me, pool, 1_000n), send(token, pool, me, amount)],
        effect: received,
      }),
    };
    const sales: Record<string, () => Deal> = {
      'a sale for SOL': () => ({
        signers: [me, pool],
        instructions: [send(token, me, pool, part), sol(pool, me, proceeds.lamports)],
        effect: sold(proceeds.inSol),
      }),
      'a sale for wrapped SOL': () => ({
        signers: [me, pool],
        instructions: [
          openAccount({ token: wrappedSol, owner: me.publicKey, payer: me.publicKey }),
          send(token, me, pool, part),
          send(wrappedSol, pool, me, BigInt(proceeds.lamports)),
        ],
        effect: sold(proceeds.inSol),
      }),
      'a sale for a stable coin': () => ({
        signers: [me, pool],
        instructions: [send(token, me, pool, part), send(coin, pool, me, proceeds.coins)],
        effect: sold(proceeds.inCoins),
      }),
      'a gift': () => ({ signers: [me], instructions: [send(token, me, stranger, part)], effect: sent }),
      'a gift, and SOL from somebody else': () => ({
        signers: [me, pool],
        instructions: [send(token, me, stranger, part), sol(pool, me, proceeds.lamports)],
        effect: sent,
      }),
      'a gift to somebody who pays a small tip': () => ({
        signers: [me, pool],
        instructions: [send(token, me, pool, part), sol(pool, me, Math.floor(proceeds.lamports / 100))],
        effect: sent,
      }),
      'another token for this one': () => ({
        signers: [me, pool],
        instructions: [send(token, me, pool, part), send(other, pool, me, 1_000n)],
        effect: sent,
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
      if (second !== me) {
        add(own, -part);
        add(main(second), part);
        const to = openAccount({ token, owner: second.publicKey, payer: me.publicKey });
        return made('a transfer to the other wallet', [me], [to, send(token, me, second, part)]);
      }
      const choice = random.between(0, 3);
      if (choice === 0) {
        return made(
          'a failed sale',
          [me, pool],
          [send(token, me, pool, STOCK * 1_000n), sol(pool, me, 1_000)],
        );
      }
      if (choice === 1) return made('SOL sent', [me], [sol(me, stranger, 1_000)]);
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
  deal: { signers, instructions, effect: null },
});
