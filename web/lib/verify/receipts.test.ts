import { expect, it } from 'vitest';
import { saveReceipt, readReceiptNumber, receiptsOf } from './receipts.ts';

const note = (entry: number) =>
  `calls.example/receipt\nentry ${entry}\ncaller c\ncontent abc=\ntime 17000\n\n— calls.example x\n`;

it('the browser stores the newest 200 receipts, each for its call', () => {
  for (let entry = 0; entry < 203; entry += 1) {
    saveReceipt({ callId: `call-${entry % 2}`, event: 'Updated', note: note(entry) });
  }
  saveReceipt({ callId: 'call-0', event: 'Ended', note: null });
  const saved = [...receiptsOf('call-0'), ...receiptsOf('call-1')].map((receipt) =>
    readReceiptNumber(receipt.note, 'entry'),
  );
  expect(saved.length).toBe(200);
  expect(Math.min(...saved)).toBe(3);
  expect(readReceiptNumber(note(7), 'time')).toBe(17_000);
});

it('the stored receipts are replaced if the browser’s storage contains something else', () => {
  localStorage.setItem('solcallers.receipts', '{');
  expect(receiptsOf('call-0')).toEqual([]);
});
