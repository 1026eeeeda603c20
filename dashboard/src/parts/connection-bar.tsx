import { clockTime, count } from '../pure/format.ts';
import { usePage } from '../use-store.ts';

/** Says where the page does not show what is now, and that nothing was missed once it does again. */
export function ConnectionBar() {
  const { connection } = usePage();
  const { is, since, resumed } = connection;
  return (
    <div role="status" aria-live="polite" id="connection">
      {is === 'lost' ? (
        <p class="notice bad">
          The gateway has not answered since {clockTime(since)}. What is shown is of before. The
          page tries again by itself.
        </p>
      ) : null}
      {is === 'live' && resumed !== null ? (
        <p class="notice good">
          Connected again at {clockTime(resumed.at)}, after a loss at {clockTime(resumed.lostAt)}.
          Nothing was missed: {count(resumed.events)} events came since.
        </p>
      ) : null}
      {is === 'live' ? <p class="quiet live-now">Live</p> : null}
    </div>
  );
}
