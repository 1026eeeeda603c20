import { clockTime } from '../pure/format.ts';
import { resumedWords } from '../pure/state.ts';
import { usePage } from '../use-store.ts';

/** Says where the page does not show what is now, and whether something was missed once it does again. */
export function ConnectionBar() {
  const { connection } = usePage();
  const { is, since } = connection;
  const resumed = resumedWords(connection, Date.now());
  return (
    <div role="status" aria-live="polite" id="connection">
      {is === 'lost' ? (
        <p class="notice bad">
          The gateway has not answered since {clockTime(since, Date.now())}. What is shown is of
          before. The page tries again by itself.
        </p>
      ) : null}
      {resumed === null ? null : (
        <p class={resumed.isWhole ? 'notice good' : 'notice warn'}>{resumed.words}</p>
      )}
      {is === 'live' ? <p class="quiet live-now">Live</p> : null}
    </div>
  );
}
