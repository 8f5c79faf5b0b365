import { expect, it } from 'vitest';
import { networkOf, wideNetworkOf } from './network-of.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002'],
  ['2001:DB8:1:2::', '2001:0db8:0001:0002'],
  ['2001:db8::7', '2001:0db8:0000:0000'],
  ['::1', '0000:0000:0000:0000'],
  ['1::2:3:4:5:6', '0001:0000:0000:0002'],
  ['unknown', 'unknown'],
])('networkOf(%s) is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:DB8:1:2::', '2001:0db8:0001'],
  ['unknown', 'unknown'],
])('the wide network of %s is %s', (address, network) => {
  expect(wideNetworkOf(networkOf(address))).toBe(network);
});
