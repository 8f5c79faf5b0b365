import { expect, it } from 'vitest';
import { keepReceipt, numberIn, receiptsOf } from './receipts.ts';

const note = (entry: number) =>
  `calls.example/receipt\nentry ${entry}\ncaller c\ncontent abc=\ntime 17000\n\n— calls.example x\n`;

it('keeps the newest 200 receipts, each for its call', () => {
  for (let entry = 0; entry < 203; entry += 1) {
    keepReceipt({ callId: `call-${entry % 2}`, event: 'Updated', note: note(entry) });
  }
  keepReceipt({ callId: 'call-0', event: 'Ended', note: null });
  const kept = [...receiptsOf('call-0'), ...receiptsOf('call-1')].map((receipt) =>
    numberIn(receipt.note, 'entry'),
  );
  expect(kept.length).toBe(200);
  expect(Math.min(...kept)).toBe(3);
  expect(numberIn(note(7), 'time')).toBe(17_000);
});

it('survives a storage with another content', () => {
  localStorage.setItem('solcallers.receipts', '{');
  expect(receiptsOf('call-0')).toEqual([]);
});
