import type { Sent } from '../traffic.ts';
import { type Day, type Violation, violation } from './context.ts';

/**
 * S44: a gateway that runs on a copy of its data directory sends no order, no cancel, no change and no trigger until
 * a person has armed it; then it goes on. That nothing is lost meanwhile is in all other properties.
 */
export function copiesSendNothing({ world }: Pick<Day, 'world'>): Violation[] {
  const { copies, sent } = world;
  if (world.plan.directed === 'copied' && copies.length === 0) {
    return [violation('S44', 'no data directory was copied')];
  }
  return copies.flatMap(({ from, until }) => {
    const leaks = sent.filter((each) => each.at > from && each.at < until && mayTrade(each));
    const goesOn = sent.some((each) => each.at > until && each.placing);
    return [
      ...leaks.map(({ at, broker, request }) =>
        violation(
          'S44',
          `${request.method} ${request.url} was sent to ${broker} by a copy, ${at - from} ms after it began`,
        ),
      ),
      ...(until === Infinity ? [violation('S44', 'the copy was never armed')] : []),
      ...(world.plan.directed === 'copied' && !goesOn
        ? [violation('S44', 'no order was sent after the copy was armed')]
        : []),
    ];
  });
}

/** Whether a request may place or change something at a broker; a login and margins change nothing. */
const mayTrade = ({ request: { method, url } }: Sent): boolean =>
  method !== 'GET' && /^\w+:\/\/[^/]*\/(orders?|smart|gtt)\b/.test(url);
