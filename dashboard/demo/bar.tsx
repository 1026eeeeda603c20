import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { DemoState, Offer } from '../../sandbox/demo/run-record.ts';
import { RunPanel } from './run-panel.tsx';
import { type Demo, useDemo } from './state.ts';
import './bar.css';

/** The bar of the demo, above the page of its gateway. */
function Bar() {
  const demo = useDemo();
  const [hidden, setHidden] = useState(0);
  const { state, isGatewayGone, refusal } = demo;
  if (state === null) return null;
  const { run } = state;
  return (
    <>
      <h2>The demo: simulated brokers, no real money</h2>
      <ul class="demo-offers">
        {state.offered.map((offer) => (
          <li key={offer.name}>
            <OfferButton offer={offer} demo={demo} state={state} />
          </li>
        ))}
      </ul>
      <p role="status" class={isGatewayGone ? 'notice bad' : 'demo-status'}>
        {isGatewayGone
          ? 'The gateway is gone. This page stays, and waits until the gateway runs again.'
          : (refusal ?? statusOf(state))}
      </p>
      {run === null || run.id === hidden ? null : (
        <RunPanel run={run} onHide={() => setHidden(run.id)} />
      )}
    </>
  );
}

function statusOf({ gateway: { restarts }, run }: DemoState): string {
  if (run?.state === 'running') return `“${run.title}” is running…`;
  if (restarts === 0) return 'The gateway runs.';
  return `The gateway runs; it was started again ${restarts === 1 ? 'once' : `${restarts} times`}.`;
}

interface OfferProps {
  readonly offer: Offer;
  readonly demo: Demo;
  readonly state: DemoState;
}

function OfferButton({ offer: { name, title, does, needsLogin }, demo, state }: OfferProps) {
  const lacksLogin = needsLogin && !state.login.isLoggedIn;
  const isBusy = demo.isGatewayGone || state.run?.state === 'running';
  const described = `demo-does-${name}`;
  return (
    <>
      <button
        type="button"
        disabled={lacksLogin || isBusy}
        aria-describedby={described}
        onClick={() => demo.ask(name)}
      >
        {title}
      </button>
      <p id={described}>
        {does}
        {lacksLogin ? (
          <>
            {' '}
            It needs a login at the simulated Kite: <a href="/api/altbroker/login">log in there</a>.
          </>
        ) : null}
      </p>
    </>
  );
}

const bar = document.createElement('aside');
bar.id = 'demo';
bar.setAttribute('aria-label', 'The demo');
document.body.prepend(bar);
render(<Bar />, bar);
