import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js';
import { rpc } from '../payments/chain.ts';
import { land } from '../payments/payments.ts';
import { testEnv } from '../test-app.ts';

export const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const WRAPPED_SOL = new PublicKey('So11111111111111111111111111111111111111112');
const MINT_BYTES = 82;
/** A Token-2022 mint with its padding, its type and the extension ScaledUiAmount. */
const SCALED_MINT_BYTES = 165 + 1 + 4 + 56;
const SCALED_UI_AMOUNT_INSTRUCTION = 43;
const RENT_PER_BYTE = 5_080;
const ACCOUNT_OVERHEAD_BYTES = 128;

/** A token on the local chain; `issuer` is its mint authority. */
export interface TestToken {
  readonly issuer: Keypair;
  readonly mint: PublicKey;
  readonly program: PublicKey;
  readonly decimals: number;
}

export type TokenKind = Pick<TestToken, 'mint' | 'program' | 'decimals'>;

export const wrappedSol: TokenKind = { mint: WRAPPED_SOL, program: TOKEN_PROGRAM, decimals: 9 };

/** A token that has the same address on the local chain as on mainnet. */
export function localToken({ mint, decimals }: { mint: string; decimals: number }): TestToken {
  const issuer = Keypair.fromSecretKey(Uint8Array.from(testEnv.TEST_ISSUER_SECRET.split(','), Number));
  return { issuer, mint: new PublicKey(mint), program: TOKEN_PROGRAM, decimals };
}

type Use = 'read' | 'write' | 'sign';

function instruct(
  programId: PublicKey,
  keys: readonly (readonly [PublicKey, Use])[],
  data: readonly number[],
): TransactionInstruction {
  return new TransactionInstruction({
    programId,
    keys: keys.map(([pubkey, use]) => ({ pubkey, isSigner: use === 'sign', isWritable: use !== 'read' })),
    data: Buffer.from(data),
  });
}

const u64 = (value: bigint) => [...new Uint8Array(BigUint64Array.of(value).buffer)];
const f64 = (value: number) => [...new Uint8Array(Float64Array.of(value).buffer)];

type MintOfToken = Pick<TestToken, 'mint' | 'program'>;

export function accountOf({ mint, program }: MintOfToken, owner: PublicKey): PublicKey {
  const seeds = [owner.toBytes(), program.toBytes(), mint.toBytes()];
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0];
}

interface AccountToOpen {
  readonly token: MintOfToken;
  readonly owner: PublicKey;
  readonly payer: PublicKey;
}

/** Creates the owner's token account if it doesn't exist. */
export function openAccount({ token, owner, payer }: AccountToOpen): TransactionInstruction {
  const keys = [
    [payer, 'sign'],
    [accountOf(token, owner), 'write'],
    [owner, 'read'],
    [token.mint, 'read'],
    [SystemProgram.programId, 'read'],
    [token.program, 'read'],
  ] as const;
  return instruct(ASSOCIATED_TOKEN_PROGRAM, keys, [1]);
}

interface Transfer {
  readonly from: PublicKey;
  readonly to: PublicKey;
  readonly amount: bigint;
}

export function sendTokens({ token, from, to, amount }: Transfer & { token: TokenKind }) {
  const accounts = { from: accountOf(token, from), to: accountOf(token, to) };
  return sendBetween({ program: token.program, ...accounts, owner: from, amount });
}

/** Mints tokens into an owner's account; the issuer signs. */
export function mintTokens({ token, to, amount }: Omit<Transfer, 'from'> & { token: TestToken }) {
  const keys = [
    [token.mint, 'write'],
    [accountOf(token, to), 'write'],
    [token.issuer.publicKey, 'sign'],
  ] as const;
  return instruct(token.program, keys, [7, ...u64(amount)]);
}

const ACCOUNT_BYTES = 165;

/** Creates a token account at a separate address, in addition to the owner's associated account. */
export function openSpareAccount({
  token,
  owner,
  account,
  lamports = (ACCOUNT_BYTES + ACCOUNT_OVERHEAD_BYTES) * RENT_PER_BYTE,
}: {
  token: Pick<TestToken, 'mint' | 'program'>;
  owner: PublicKey;
  /** The new account's address. It must sign the transaction. */
  account: PublicKey;
  /** Default: the rent. The excess over the rent is wrapped SOL. */
  lamports?: number;
}): TransactionInstruction[] {
  const keys = [
    [account, 'write'],
    [token.mint, 'read'],
  ] as const;
  return [
    SystemProgram.createAccount({
      fromPubkey: owner,
      newAccountPubkey: account,
      lamports,
      space: ACCOUNT_BYTES,
      programId: token.program,
    }),
    instruct(token.program, keys, [18, ...owner.toBytes()]),
  ];
}

/** Like `sendTokens`, but between token accounts. */
export function sendBetween({
  program,
  from,
  to,
  owner,
  amount,
}: Transfer & Record<'program' | 'owner', PublicKey>): TransactionInstruction {
  const keys = [
    [from, 'write'],
    [to, 'write'],
    [owner, 'sign'],
  ] as const;
  return instruct(program, keys, [3, ...u64(amount)]);
}

/** Closes a token account at any address. `to` gets its lamports without a transfer. */
export function closeTokenAccount({
  program,
  account,
  owner,
  to = owner,
}: Record<'program' | 'account' | 'owner', PublicKey> & { to?: PublicKey }): TransactionInstruction {
  const keys = [
    [account, 'write'],
    [to, 'write'],
    [owner, 'sign'],
  ] as const;
  return instruct(program, keys, [9]);
}

/** Moves an owner's SOL into their wrapped SOL account. */
export function wrapSol(owner: PublicKey, lamports: number): TransactionInstruction[] {
  const account = accountOf(wrappedSol, owner);
  return [
    openAccount({ token: wrappedSol, owner, payer: owner }),
    SystemProgram.transfer({ fromPubkey: owner, toPubkey: account, lamports }),
    instruct(TOKEN_PROGRAM, [[account, 'write']], [17]),
  ];
}

/** Signs and lands a transaction, even if it fails. The first signer pays the fee. Returns its signature. */
export async function landInstructions(
  signers: readonly [Keypair, ...Keypair[]],
  ...instructions: readonly TransactionInstruction[]
): Promise<string> {
  const { value } = await rpc<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
    'getLatestBlockhash',
    { commitment: 'confirmed' },
  );
  const transaction = new Transaction({ feePayer: signers[0].publicKey, ...value }).add(...instructions);
  transaction.sign(...signers);
  return land(new Uint8Array(transaction.serialize({ verifySignatures: false })), { skipPreflight: true });
}

interface TokenToIssue {
  readonly issuer: Keypair;
  readonly supply: bigint;
  readonly decimals: number;
  readonly program?: PublicKey;
}

const createMintAccount = ({ issuer, mint, program }: TestToken, space: number) =>
  SystemProgram.createAccount({
    fromPubkey: issuer.publicKey,
    newAccountPubkey: mint,
    lamports: (space + ACCOUNT_OVERHEAD_BYTES) * RENT_PER_BYTE,
    space,
    programId: program,
  });

/** Creates a token and mints `supply` smallest units to its issuer. */
export async function issueToken({ issuer, supply, decimals, program = TOKEN_PROGRAM }: TokenToIssue) {
  const mint = Keypair.generate();
  const token = { issuer, mint: mint.publicKey, program, decimals };
  await landInstructions(
    [issuer, mint],
    createMintAccount(token, MINT_BYTES),
    instruct(program, [[mint.publicKey, 'write']], [20, decimals, ...issuer.publicKey.toBytes(), 0]),
    openAccount({ token, owner: issuer.publicKey, payer: issuer.publicKey }),
    mintTokens({ token, to: issuer.publicKey, amount: supply }),
  );
  return token;
}

/** Creates a Token-2022 token whose amounts are scaled, without a supply. */
export async function issueScaledToken(issuer: Keypair, multiplier = 1): Promise<TestToken> {
  const mint = Keypair.generate();
  const token = { issuer, mint: mint.publicKey, program: TOKEN_2022_PROGRAM, decimals: 6 };
  const authority = issuer.publicKey.toBytes();
  const initialize = [SCALED_UI_AMOUNT_INSTRUCTION, 0, ...authority, ...f64(multiplier)];
  await landInstructions(
    [issuer, mint],
    createMintAccount(token, SCALED_MINT_BYTES),
    instruct(token.program, [[mint.publicKey, 'write']], initialize),
    instruct(token.program, [[mint.publicKey, 'write']], [20, token.decimals, ...authority, 0]),
  );
  return token;
}

interface NewMultiplier {
  readonly multiplier: number;
  /** Unix seconds. Default: at once. */
  readonly from?: number;
}

/** Changes how a scaled token's amounts are shown, as at a split of a stock. */
export function setMultiplier({ mint, issuer, program }: TestToken, { multiplier, from = 0 }: NewMultiplier) {
  const keys = [
    [mint, 'write'],
    [issuer.publicKey, 'sign'],
  ] as const;
  const data = [SCALED_UI_AMOUNT_INSTRUCTION, 1, ...f64(multiplier), ...u64(BigInt(from))];
  return landInstructions([issuer], instruct(program, keys, data));
}
