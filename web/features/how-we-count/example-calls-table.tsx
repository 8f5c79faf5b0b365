import { Card } from '#web/ui/lists/card.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { exampleCalls } from './example-calls.ts';

export function ExampleCalls() {
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
