import type { RunRecord, TimelineLine } from '../../sandbox/demo/run-record.ts';

const SIDES = { script: 'Naive script', gateway: 'Through the gateway', demo: 'The demo' } as const;

/** A run: what each side sent and was told, what Kite's order book has, and the count at the end. */
export function RunPanel({
  run,
  onHide,
}: {
  readonly run: RunRecord;
  readonly onHide: () => void;
}) {
  const isBoth = run.lines.some(({ side }) => side === 'script');
  return (
    <section class="demo-run" aria-labelledby="demo-run-title">
      <div class="demo-head">
        <h3 id="demo-run-title">{run.title}</h3>
        <button type="button" onClick={onHide}>
          Hide
        </button>
      </div>
      <Result run={run} />
      <ol class={isBoth ? 'demo-lines two' : 'demo-lines'}>
        {isBoth ? (
          <li class="demo-sides" aria-hidden="true">
            <span>{SIDES.script}</span>
            <span>{SIDES.gateway}</span>
          </li>
        ) : null}
        {run.lines.map((line, index) => (
          <Line key={index} line={line} isBoth={isBoth} />
        ))}
      </ol>
    </section>
  );
}

interface LineProps {
  readonly line: TimelineLine;
  /** Whether the run has two sides, so that the line says which it is of. */
  readonly isBoth: boolean;
}

function Line({ line: { at, side, kind, text }, isBoth }: LineProps) {
  return (
    <li class={`${side} ${kind.replace(' ', '-')}`}>
      <time dateTime={at}>{at.slice(11, 23)} IST</time>
      <div>
        {side === 'demo' ? null : (
          <>
            {isBoth ? <span class="demo-side">{SIDES[side]}, </span> : null}
            <strong>{kind}:</strong>{' '}
          </>
        )}
        {text}
      </div>
    </li>
  );
}

const COUNTED = [
  ['script', 'by the naive script'],
  ['gateway', 'through the gateway'],
] as const;

function Result({ run }: { readonly run: RunRecord }) {
  if (run.result === null) return null;
  const kind = run.state === 'true' ? 'good' : run.state === 'false' ? 'bad' : 'warn';
  return (
    <div class={`notice ${kind} demo-result`}>
      <p>
        {COUNTED.map(([side, name]) => {
          const count = run.counts[side];
          return count === null ? null : (
            <span key={side} class="demo-count">
              <strong>{count}</strong> {count === 1 ? 'order' : 'orders'} at Kite {name}
            </span>
          );
        })}
      </p>
      <p role="status">{run.result}</p>
    </div>
  );
}
