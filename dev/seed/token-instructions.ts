import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../stand-ins/chain/programs.ts';

const tokenProgram = new PublicKey(TOKEN_PROGRAM);
const associatedTokenProgram = new PublicKey(ASSOCIATED_TOKEN_PROGRAM);

type Use = 'read' | 'write' | 'sign';

interface TokenAccountKeys {
  readonly mint: PublicKey;
  readonly owner: PublicKey;
}

/** Creates an owner's token account unless it exists. The owner pays its rent. */
export function openTokenAccount({ mint, owner }: TokenAccountKeys): TransactionInstruction {
  return instruct(
    associatedTokenProgram,
    [
      [owner, 'sign'],
      [addressOf({ mint, owner }), 'write'],
      [owner, 'read'],
      [mint, 'read'],
      [SystemProgram.programId, 'read'],
      [tokenProgram, 'read'],
    ],
    [1],
  );
}

/** Mints new tokens (smallest units) into an account. */
export function mintTo({
  mint,
  owner,
  authority,
  amount,
}: TokenAccountKeys & { authority: PublicKey; amount: bigint }): TransactionInstruction {
  return instruct(
    tokenProgram,
    [
      [mint, 'write'],
      [addressOf({ mint, owner }), 'write'],
      [authority, 'sign'],
    ],
    [7, ...u64(amount)],
  );
}

function addressOf({ mint, owner }: TokenAccountKeys): PublicKey {
  return PublicKey.findProgramAddressSync(
    [owner.toBytes(), tokenProgram.toBytes(), mint.toBytes()],
    associatedTokenProgram,
  )[0];
}

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

function u64(value: bigint): number[] {
  return [...new Uint8Array(BigUint64Array.of(value).buffer)];
}
