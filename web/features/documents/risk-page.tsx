import { PRODUCT_NAME } from '#schema/constants.ts';
import { BulletList, Section } from '#web/ui/lists/section.tsx';
import { DocumentPage } from './document-page.tsx';

export function RiskPage() {
  return (
    <DocumentPage
      document="risk"
      summary="You can lose all the money that you put into a token, and the fee for a subscription as well."
    >
      <Section id="advice" title="This is not advice">
        <p>
          Calls are opinions of the people who publish them. Neither they nor {PRODUCT_NAME} know your
          situation. Nobody here checks whether a token suits you. Callers may own the token that they call,
          may have bought it before they called it, and may sell it while you buy.
        </p>
      </Section>
      <Section id="tokens" title="Tokens">
        <BulletList>
          <li>Prices of small tokens move by half within minutes. Many go to zero and stay there.</li>
          <li>
            A token may have so little liquidity that you can't sell, or only far below the price that you
            see.
          </li>
          <li>
            A token's creator may be able to mint more of it, freeze it or withdraw its liquidity. Anyone can
            create a token with the name and picture of another one.
          </li>
          <li>
            If many followers buy at once, they move the price, and late buyers pay more than the caller's
            entry.
          </li>
        </BulletList>
      </Section>
      <Section id="records" title="Records">
        <BulletList>
          <li>A good record says nothing certain about the next call.</li>
          <li>
            Win rate and average return count prices at the moments when a call was made and ended, without
            fees and price impact. Follower Return, Proven and "What would I have made?" count prices a minute
            later, with a swap fee of 0.3% and an estimated price impact; the last one also subtracts the
            subscription's fee. None of them counts taxes and network fees. You would have got other prices.
          </li>
          <li>
            A record of few calls is mostly luck. Callers without a proven return are shown last in orders by
            return.
          </li>
          <li>Prices come from third parties that can be wrong, late or unavailable.</li>
        </BulletList>
      </Section>
      <Section id="payments" title="Wallets and payments">
        <BulletList>
          <li>A transaction on Solana is final. Nobody can take back a payment to the wrong caller.</li>
          <li>If you lose your wallet's key, or somebody steals it, nobody can restore it.</li>
          <li>The value of SOL changes, so a fee in SOL may cost you more or less than last month.</li>
          <li>A caller may stop making calls after you have paid.</li>
        </BulletList>
      </Section>
      <Section id="law" title="Law and taxes">
        <p>
          In some countries trading tokens or publishing calls needs a licence, is taxed or is forbidden. You
          are responsible for following the law where you live.
        </p>
      </Section>
    </DocumentPage>
  );
}
