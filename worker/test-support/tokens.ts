import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js';
import { rpc } from './chain.ts';
import { land } from './payments.ts';

export const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const WRAPPED_SOL = new PublicKey('So11111111111111111111111111111111111111112');
const MINT_BYTES = 82;
const MINT_RENT = 1_461_600;

/** A token on the local chain, all of which its issuer can make. */
export interface TestToken {
  readonly issuer: Keypair;
  readonly mint: PublicKey;
  readonly program: PublicKey;
  readonly decimals: number;
}

type Use = 'read' | 'write' | 'sign';

function instruct(programId: PublicKey, keys: readonly (readonly [PublicKey, Use])[], data: readonly number[]): TransactionInstruction {
  return new TransactionInstruction({ programId, keys: keys.map(([pubkey, use]) => ({ pubkey, isSigner: use === 'sign', isWritable: use !== 'read' })), data: Buffer.from(data) });
}

const u64 = (value: bigint) => [...new Uint8Array(BigUint64Array.of(value).buffer)];

function accountOf({ mint, program }: Pick<TestToken, 'mint' | 'program'>, owner: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync([owner.toBytes(), program.toBytes(), mint.toBytes()], ASSOCIATED_TOKEN_PROGRAM)[0];
}

/** Opens an owner's account for a token, unless it is there. */
export function openAccount({ token, owner, payer }: { token: Pick<TestToken, 'mint' | 'program'>; owner: PublicKey; payer: PublicKey }): TransactionInstruction {
  const keys = [[payer, 'sign'], [accountOf(token, owner), 'write'], [owner, 'read'], [token.mint, 'read'], [SystemProgram.programId, 'read'], [token.program, 'read']] as const;
  return instruct(ASSOCIATED_TOKEN_PROGRAM, keys, [1]);
}

export function sendTokens({ token, from, to, amount }: { token: TestToken; from: PublicKey; to: PublicKey; amount: bigint }): TransactionInstruction {
  return instruct(token.program, [[accountOf(token, from), 'write'], [accountOf(token, to), 'write'], [from, 'sign']], [3, ...u64(amount)]);
}

/** Puts SOL of an owner into their account of wrapped SOL. */
export function wrapSol(owner: PublicKey, lamports: number): TransactionInstruction[] {
  const token = { mint: WRAPPED_SOL, program: TOKEN_PROGRAM };
  const account = accountOf(token, owner);
  return [openAccount({ token, owner, payer: owner }), SystemProgram.transfer({ fromPubkey: owner, toPubkey: account, lamports }), instruct(TOKEN_PROGRAM, [[account, 'write']], [17])];
}

/** Signs a transaction, whose fee the first signer pays, and lands it, failing or not. Returns its signature. */
export async function landInstructions(signers: readonly [Keypair, ...Keypair[]], ...instructions: readonly TransactionInstruction[]): Promise<string> {
  const { value } = await rpc<{ value: { blockhash: string; lastValidBlockHeight: number } }>('getLatestBlockhash', { commitment: 'confirmed' });
  const transaction = new Transaction({ feePayer: signers[0].publicKey, ...value }).add(...instructions);
  transaction.sign(...signers);
  return land(new Uint8Array(transaction.serialize()), { skipPreflight: true });
}

/** Makes a token of which its issuer holds `supply` smallest units. */
export async function issueToken({ issuer, supply, decimals, program = TOKEN_PROGRAM }: { issuer: Keypair; supply: bigint; decimals: number; program?: PublicKey }): Promise<TestToken> {
  const mint = Keypair.generate();
  const token = { issuer, mint: mint.publicKey, program, decimals };
  await landInstructions(
    [issuer, mint],
    SystemProgram.createAccount({ fromPubkey: issuer.publicKey, newAccountPubkey: mint.publicKey, lamports: MINT_RENT, space: MINT_BYTES, programId: program }),
    instruct(program, [[mint.publicKey, 'write']], [20, decimals, ...issuer.publicKey.toBytes(), 0]),
    openAccount({ token, owner: issuer.publicKey, payer: issuer.publicKey }),
    instruct(program, [[mint.publicKey, 'write'], [accountOf(token, issuer.publicKey), 'write'], [issuer.publicKey, 'sign']], [7, ...u64(supply)]),
  );
  return token;
}
