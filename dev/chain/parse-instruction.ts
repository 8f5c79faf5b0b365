import bs58 from 'bs58';
import { parseSystemInstruction } from './parse-system.ts';
import { parseAssociatedTokenInstruction, parseTokenInstruction } from './parse-token.ts';
import { ASSOCIATED_TOKEN_PROGRAM, isMemoProgram, isTokenProgram, SYSTEM_PROGRAM } from './programs.ts';

interface CompiledInstruction {
  programIndex: number;
  accounts: number[];
  data: Uint8Array;
}

function parse(
  program: string,
  accounts: string[],
  data: Uint8Array,
): { program: string; parsed: unknown } | undefined {
  const at = (position: number) => {
    const account = accounts[position];
    if (account === undefined) throw new RangeError('too few accounts');
    return account;
  };
  const named = (name: string, parsed: unknown) =>
    parsed === undefined ? undefined : { program: name, parsed };
  if (program === SYSTEM_PROGRAM) return named('system', parseSystemInstruction(data, at));
  // RPC nodes report the program of a Token-2022 instruction as 'spl-token', and the program of a Token-2022
  // account as 'spl-token-2022'.
  if (isTokenProgram(program)) return named('spl-token', parseTokenInstruction(data, at, accounts.length));
  if (program === ASSOCIATED_TOKEN_PROGRAM) {
    return named('spl-associated-token-account', parseAssociatedTokenInstruction(data, at));
  }
  if (isMemoProgram(program)) {
    return named('spl-memo', new TextDecoder('utf-8', { fatal: true }).decode(data));
  }
  return undefined;
}

export function encodeInstruction(instruction: CompiledInstruction, stackHeight: number): unknown {
  return {
    accounts: instruction.accounts,
    data: bs58.encode(instruction.data),
    programIdIndex: instruction.programIndex,
    stackHeight,
  };
}

/**
 * Encodes an instruction in `jsonParsed` form. Instructions of unknown programs are only partially decoded.
 */
export function encodeParsedInstruction(
  instruction: CompiledInstruction,
  keys: readonly string[],
  stackHeight: number,
): unknown {
  const programId = keys[instruction.programIndex] ?? '';
  const accounts = instruction.accounts.map((index) => keys[index] ?? '');
  try {
    const known = parse(programId, accounts, instruction.data);
    if (known !== undefined) return { ...known, programId, stackHeight };
  } catch (error) {
    // The runtime accepts data that is too short (RangeError here) and memos that aren't UTF-8 (TypeError
    // here).
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
  }
  return { accounts, data: bs58.encode(instruction.data), programId, stackHeight };
}

/** Formats memos as `getSignaturesForAddress` shows them: `[bytes] text; [bytes] text`. */
export function describeMemos(
  instructions: readonly CompiledInstruction[],
  keys: readonly string[],
): string | null {
  const memos = instructions
    .filter(({ programIndex }) => isMemoProgram(keys[programIndex] ?? ''))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ');
}
