import { chromium } from '@playwright/test';
import { build, type Rollup } from 'vite';
import { CALCULATOR_CALLS, MAX_COMPARED_CALLERS } from '#schema/constants/market.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CalculatorInput, Calculation, CopiedCall } from '#schema/rules/calls/calculator.ts';
import { findChromium } from '#dev/tests/find-chromium.ts';
import { root } from '#dev/settings.ts';
import type { Part } from '../context.ts';
import { summarize } from '../results.ts';

const CPU_SLOWDOWN = 4;
const GOAL_MS = 100;

declare global {
  interface Window {
    calculate: (input: CalculatorInput) => Calculation;
  }
}

/** Measures the largest calculation of the Compare page in Chromium, at a quarter of this machine's speed. */
export const measureCalculator: Part = async ({ options: { rounds, isTiny } }) => {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addScriptTag({ content: await bundleCalculator() });
    const input = createInput(isTiny ? 10 : CALCULATOR_CALLS);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(
        await page.evaluate((each) => {
          const startedAt = performance.now();
          window.calculate(each);
          return performance.now() - startedAt;
        }, input),
      );
    }
    const value = summarize(times);
    const what = `${MAX_COMPARED_CALLERS} callers with ${CALCULATOR_CALLS} calls, at ${CPU_SLOWDOWN}× CPU`;
    return [{ what, value, unit: 'ms', goal: `≤ ${GOAL_MS}`, isMet: value.median <= GOAL_MS }];
  } finally {
    await browser.close();
  }
};

async function bundleCalculator(): Promise<string> {
  const [built] = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: `${root}/schema/rules/calls/calculator.ts`, formats: ['iife'], name: 'calculator' },
    },
  })) as Rollup.RollupOutput[];
  return `${built?.output[0].code}; window.calculate = calculator.calculate;`;
}

/** Calls that overlap, each with both marks. */
function createInput(calls: number): CalculatorInput {
  const now = Date.UTC(2026, 0, 1);
  const createCall = (index: number): CopiedCall => {
    const endPrice = String(0.5 + ((index * 7) % 20) / 10);
    const calledAt = now - (index + 9) * 8 * 60 * MINUTE_MS;
    return {
      id: String(index),
      tokenSymbol: 'AAA',
      callTimestamp: new Date(calledAt).toISOString(),
      endTimestamp: new Date(calledAt + 2 * DAY_MS).toISOString(),
      endPrice,
      changePercent: (Number(endPrice) - 1) * 100,
      countedChange: (Number(endPrice) - 1) * 100,
      open: { price: '1', liquidityUsd: 90_000, solPriceUsd: '150' },
      end: { price: endPrice, liquidityUsd: 80_000, solPriceUsd: '140' },
    };
  };
  const fees = [{ monthlyFee: '0.5', until: null }];
  const caller = { fees, calls: Array.from({ length: calls }, (_, index) => createCall(index)) };
  const callers = Array.from({ length: MAX_COMPARED_CALLERS }, () => caller);
  return { callers, stakeUsd: 100, since: now - 400 * DAY_MS, until: now };
}
