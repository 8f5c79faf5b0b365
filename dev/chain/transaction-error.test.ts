import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FailedTransactionMetadata } from 'litesvm/dist/internal.js';
import { expect, test } from 'vitest';
import { describeTransactionError, toTransactionError } from './transaction-error.ts';

const litesvm = join(createRequire(import.meta.url).resolve('litesvm'), '..');

function membersOf(enumName: string): { name: string; value: number }[] {
  const types = readFileSync(join(litesvm, 'internal.d.ts'), 'utf8');
  const body = new RegExp(`const enum ${enumName} {([^}]*)}`).exec(types)?.[1] ?? '';
  return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, name = '', value]) => ({ name, value: Number(value) }));
}

type RuntimeError = ReturnType<FailedTransactionMetadata['err']>;

test("the error lists match the installed litesvm's numbers", () => {
  const transactionErrors = membersOf('TransactionErrorFieldless');
  const instructionErrors = membersOf('InstructionErrorFieldless');
  expect(transactionErrors.length).toBeGreaterThan(30);
  expect(instructionErrors.length).toBeGreaterThan(50);
  for (const { name, value } of transactionErrors) {
    expect(toTransactionError(value as RuntimeError)).toBe(name);
  }
  for (const { name, value } of instructionErrors) {
    const error = { index: 3, err: () => value } as unknown as RuntimeError;
    expect(toTransactionError(error)).toEqual({ InstructionError: [3, name] });
  }
});

test('errors have the same messages as on a cluster', () => {
  expect(describeTransactionError('InsufficientFundsForFee')).toBe('Insufficient funds for fee');
  expect(describeTransactionError({ InstructionError: [2, { Custom: 6001 }] })).toBe(
    'Error processing Instruction 2: custom program error: 0x1771',
  );
  expect(describeTransactionError({ InstructionError: [0, 'InvalidAccountData'] })).toBe(
    'Error processing Instruction 0: invalid account data for instruction',
  );
});
