import { startLocalProduct } from './local/local-product.ts';
import { localOperator } from './local/local-operator.ts';
import { readSettings } from './settings.ts';
import { samplePeople } from './stand-ins/x/people.ts';

try {
  const settings = readSettings(process.env);
  const product = await startLocalProduct(settings, {
    isWatching: process.argv.includes('--watch'),
    log: (line) => console.log(line),
  });
  const people = samplePeople.slice(0, 5).map(({ name, handle }) => `  @${handle.padEnd(16)} ${name}`);
  console.log(`
SolCallers is at ${settings.productUrl}

Sign in with Twitter as one of these, or type any handle to sign in as someone new:
${people.join('\n')}

@${localOperator.handle} is an operator: open ${settings.productUrl}/operators

Pay with the Local Wallet (bottom corner of the page; it has an airdrop button).
Solana JSON-RPC   ${product.environment.solanaUrl}
Other stand-ins   ${product.environment.standInsUrl}   (controls under /_control)
Stop with Ctrl+C. Your changes are kept; "npm run reset" starts over.
`);
  const stop = () => void product.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  await product.ended;
  process.exit(1);
} catch (error) {
  const hasCause = error instanceof Error && error.cause !== undefined;
  console.error(hasCause ? error : `\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
