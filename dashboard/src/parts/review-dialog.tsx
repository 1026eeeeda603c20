import { useEffect, useState } from 'preact/hooks';
import type { Client, Schemas } from '../../../client/index.ts';
import { count, rupees } from '../pure/format.ts';
import { termsOf } from '../pure/orders.ts';
import type { OrderBody } from '../pure/ticket.ts';
import { problemOf } from '../store.ts';
import { usePage, useStore } from '../use-store.ts';
import { ActionDialog } from './action-dialog.tsx';
import { ModeTag } from './mode-tag.tsx';

interface Read {
  readonly instrument: Schemas['Instrument'] | string;
  readonly margin: Schemas['Margin'] | string;
  readonly brakes: Schemas['Brakes'] | string;
}

/** An order before it is sent: where it goes, its tick and lot, what it blocks and costs, and which brakes hold. */
export function ReviewDialog({
  body,
  onClose,
}: {
  readonly body: OrderBody;
  readonly onClose: () => void;
}) {
  const { client } = useStore();
  const { overview } = usePage();
  const [read, setRead] = useState<Read | null>(null);
  useEffect(() => {
    void readAbout(client, body).then(setRead);
  }, []);
  const account = overview?.account ?? null;
  const words = termsOf({
    ...body,
    ...{ price: body.price ?? null, triggerPrice: body.triggerPrice ?? null },
  });
  return (
    <ActionDialog
      title={words}
      confirm={account?.mode === 'live' ? 'Place it, with real money' : 'Place it'}
      isDangerous={account?.mode === 'live'}
      onClose={onClose}
      // To the account that is shown, and to no other: a login may begin or end meanwhile.
      request={() => ({
        words,
        request: {
          call: 'placeOrder',
          input: { body: account === null ? body : { ...body, broker: account.broker } },
        },
      })}
    >
      <dl class="facts">
        <dt>Goes to</dt>
        <dd>
          {account === null ? 'no broker takes orders now' : <ModeTag {...account} />}
          {overview?.killSwitch.engaged ? ' The kill switch is engaged.' : ''}
        </dd>
        {read === null ? null : <Facts read={read} />}
      </dl>
      {read === null ? <p>Asking what it costs…</p> : null}
    </ActionDialog>
  );
}

function Facts({ read: { instrument, margin, brakes } }: { readonly read: Read }) {
  return (
    <>
      <dt>Instrument</dt>
      <dd>
        {typeof instrument === 'string'
          ? instrument
          : `${instrument.displayName}, tick ${rupees(instrument.tickSize)}, lot ${count(instrument.lotSize)}`}
      </dd>
      <dt>Blocks</dt>
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
      <dd>{typeof brakes === 'string' ? `not known: ${brakes}` : brakeWords(brakes)}</dd>
    </>
  );
}

function brakeWords(brakes: Schemas['Brakes']): string {
  const { maxOrderValue, maxOrdersPerMinute, maxDailyLoss } = brakes;
  const words = [
    ...(maxOrderValue === null ? [] : [`at most ${rupees(maxOrderValue)} an order`]),
    ...(maxOrdersPerMinute === null
      ? []
      : [`at most ${count(maxOrdersPerMinute.limit)} orders a minute`]),
    ...(maxDailyLoss === null ? [] : [`at most ${rupees(maxDailyLoss.limit)} of loss a day`]),
  ];
  return words.length === 0 ? 'none is set for the account' : words.join(', ');
}

async function readAbout(client: Client, body: OrderBody): Promise<Read> {
  const read = async <T,>(ask: Promise<T>): Promise<T | string> => {
    try {
      return await ask;
    } catch (error) {
      return problemOf(error);
    }
  };
  const [instrument, margin, brakes] = await Promise.all([
    read(client.getInstrument({ instrument: body.instrument }).then(({ data }) => data)),
    read(client.getMargins({ body: { orders: [body] } }).then(({ data }) => data)),
    read(client.getLimits().then((answer) => answer.brakes)),
  ]);
  return { instrument, margin, brakes };
}
