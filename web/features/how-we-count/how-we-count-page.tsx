import { Link } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { Prose } from '#web/ui/prose.tsx';
import text from './how-we-count.md?raw';
import { exampleCalls } from './example-calls.ts';
import { textValues } from './text-values.ts';

const sections = [
  ['ranked', 'Which calls count'],
  ['orders', 'Orders'],
  ['record', 'Figures'],
  ['prices', 'Price sources'],
  ['peaks', 'Charts and peaks'],
  ['skin', 'Skin in the game'],
] as const;

export function HowWeCountPage() {
  const { title } = PAGES['/how-we-count'];
  usePageTitle(title);
  return (
    <div className="desk py-6 md:py-10">
      <div className="max-w-3xl">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">{title}</h1>
        <p className="mt-2 text-text-muted">
          Every call has an entry price from when it was made and an end price from when it ended. Our server
          fetches both at that moment, and nobody can set, edit or delete them. All figures come from these
          prices and show how many calls they cover.
        </p>
        <nav aria-label="On this page" className="mt-4 flex flex-wrap gap-x-5">
          {sections.map(([id, title]) => (
            <Link
              key={id}
              to="/how-we-count"
              hash={id}
              className="inline-flex min-h-11 items-center text-sm link md:min-h-8"
            >
              {title}
            </Link>
          ))}
        </nav>
        <Prose text={text} values={{ ...textValues, exampleCalls: <ExampleCalls /> }} />
        <Link to="/" className={buttonClassName({ className: 'mt-10' })}>
          Back to Directory
        </Link>
      </div>
    </div>
  );
}

function ExampleCalls() {
  return (
    <Card isFlush>
      <Table label="Example calls">
        <TableHead>
          <TableHeaderCell>Token</TableHeaderCell>
          <TableHeaderCell isNumeric>Entry</TableHeaderCell>
          <TableHeaderCell isNumeric>Peak</TableHeaderCell>
          <TableHeaderCell isNumeric>End</TableHeaderCell>
          <TableHeaderCell isNumeric>Change</TableHeaderCell>
        </TableHead>
        <tbody>
          {exampleCalls.map(({ symbol, entryPrice, peakPrice, endPrice, changePercent }) => (
            <TableRow key={symbol} className="h-11">
              <TableCell isRowHeader>{symbol}</TableCell>
              <TableCell isNumeric>{entryPrice}</TableCell>
              <TableCell isNumeric>{peakPrice}</TableCell>
              <TableCell isNumeric>{endPrice}</TableCell>
              <TableCell isNumeric>
                <Change percent={changePercent} />
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
