import { changePercent } from '#schema/rules/calls/change-percent.ts';

export const exampleCalls = [
  { symbol: 'AAA', entryPrice: '1', endPrice: '2', peakPrice: '2.4' },
  { symbol: 'BBB', entryPrice: '4', endPrice: '2', peakPrice: '4.4' },
  { symbol: 'CCC', entryPrice: '5', endPrice: '4', peakPrice: '4.9' },
  { symbol: 'DDD', entryPrice: '10', endPrice: '13', peakPrice: '15' },
  { symbol: 'EEE', entryPrice: '2', endPrice: '5', peakPrice: '6' },
].map((call) => ({ ...call, changePercent: changePercent(call.entryPrice, call.endPrice) }));
