import { useEffect, useState } from 'preact/hooks';
import { brakeWords, type OrderOf } from '../pure/brake-words.ts';
import { count, rupees } from '../pure/format.ts';
import { termsOf } from '../pure/orders.ts';
import type { OrderBody } from '../pure/ticket.ts';
import { readReview, type Review } from '../read-review.ts';
import { usePage, useStore } from '../use-store.ts';
import { ActionDialog } from './action-dialog.tsx';
import { ModeTag } from './mode-tag.tsx';

interface ReviewProps {
  readonly body: OrderBody;
  readonly onClose: () => void;
}

/** An order before it is sent: where it goes, its tick and lot, what it blocks and costs, and which brakes hold. */
export function ReviewDialog({ body, onClose }: ReviewProps) {
  const { client } = useStore();
  const { overview } = usePage();
  // The account that is shown, and no other: a login may begin or end while the person reads.
  const [account] = useState(overview?.account ?? null);
  const [read, setRead] = useState<Review | null>(null);
  const order = account === null ? null : { ...body, broker: account.broker };
  useEffect(() => {
    if (order !== null) void readReview(client, order).then(setRead);
  }, []);
  const words = termsOf({
    ...body,
    ...{ price: body.price ?? null, triggerPrice: body.triggerPrice ?? null },
  });
  const confirm = account?.mode === 'live' ? 'Place it, with real money' : 'Place it';
  return (
    <ActionDialog
      title={words}
      confirm={order === null ? null : confirm}
      isDangerous={account?.mode === 'live'}
      onClose={onClose}
      request={() =>
        order === null ? null : { words, request: { call: 'placeOrder', input: { body: order } } }
      }
    >
      <dl class="facts">
        <dt>Goes to</dt>
        <dd>
          {account === null ? <NoAccount isKnown={overview !== null} /> : <ModeTag {...account} />}
          {overview?.killSwitch.engaged ? ' The kill switch is engaged.' : ''}
        </dd>
        {read === null || account === null ? null : (
          <Facts read={read} order={body} account={account} />
        )}
      </dl>
      {order !== null && read === null ? <p>Asking what it costs…</p> : null}
      {account !== null && overview?.account?.broker !== account.broker ? (
        <p class="notice warn">
          Orders that name no broker go {whereNow(overview?.account?.broker)} now. This one goes to{' '}
          {account.broker} all the same: leave it, and review it again, if you mean another account.
        </p>
      ) : null}
    </ActionDialog>
  );
}

const whereNow = (broker: string | undefined): string =>
  broker === undefined ? 'nowhere' : `to ${broker}`;

/** Without an account that is shown nothing is sent: a login that begins meanwhile would choose one. */
function NoAccount({ isKnown }: { readonly isKnown: boolean }) {
  return (
    <>
      {isKnown ? 'No broker takes orders now' : 'It is not known yet where orders go'}: leave it,
      and review it again once the first screen names an account.
    </>
  );
}

interface FactsProps {
  readonly read: Review;
  readonly order: OrderBody;
  readonly account: Pick<OrderOf, 'broker' | 'mode'>;
}

function Facts({ read: { instrument, margin, brakes, key }, order, account }: FactsProps) {
  const { broker, mode } = account;
  const name = typeof instrument === 'string' ? order.instrument : instrument.name;
  return (
    <>
      <dt>Instrument</dt>
      <dd>
        {typeof instrument === 'string'
          ? instrument
          : `${instrument.displayName}, tick ${rupees(instrument.tickSize)}, lot ${count(instrument.lotSize)}`}
      </dd>
      <dt>Blocks at {broker}</dt>
      <dd>
        {typeof margin === 'string'
          ? `not known: ${margin}`
          : `${rupees(margin.required)} of ${rupees(margin.available)}${
              margin.shortfall !== null && margin.shortfall > 0
                ? `: ${rupees(margin.shortfall)} is missing`
                : ''
            }`}
      </dd>
      <dt>Charges</dt>
      <dd>
        {typeof margin === 'string' || margin.charges === null
          ? 'not known'
          : `about ${rupees(margin.charges.total)}`}
      </dd>
      <dt>Brakes</dt>
      <dd>{brakeWords(brakes, key, { broker, mode, instrument: name })}</dd>
    </>
  );
}
