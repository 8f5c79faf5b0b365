import { pickRecentBuys } from '#schema/rules/calls/recent-buys.ts';
import { BuyRows } from '#web/ui/lists/buy-rows.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { sampleTransactions } from './sample-data.ts';

export function SampleRecentBuys() {
  const call = () => window.alert('Token called successfully! Your subscribers will be notified.');
  return (
    <Card title="Your Recent Buys" isFlush>
      <BuyRows
        label="Your Recent Buys"
        buys={pickRecentBuys(sampleTransactions)}
        renderFigures={({ currentPrice, priceChange }) => (
          <p className="flex items-baseline justify-between gap-3 text-sm sm:justify-end">
            <Price value={currentPrice} />
            <Change percent={priceChange} className="font-medium sm:min-w-16 sm:text-right" />
          </p>
        )}
        renderAction={({ tokenSymbol }) => (
          <Button size="sm" aria-label={`Call ${tokenSymbol}`} onClick={call}>
            Call
          </Button>
        )}
      />
    </Card>
  );
}
