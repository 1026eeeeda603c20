import { nothingUnforeseen } from './told.ts';
import { reducesOnly } from './kill-switch.ts';
import { atMostOnce } from './orders.ts';
import { type Day, type Violation, violation, wantedOf } from './context.ts';

/**
 * What is looked at on a day on which the data directory was restored from a backup: what the journal has
 * forgotten cannot be compared. S21: until a person has released the kill switch, nothing that opens a
 * position is sent, where the book shows orders with tags of the directory that the journal does not know.
 */
export function restoredIsNoticed(day: Day): Violation[] {
  const { world, state, noticed } = day;
  const at = world.restoredAt();
  if (at === null) return [...noticed, violation('S21', 'no data directory was restored')];
  const known = new Set([...state.orders.values()].map((order) => wantedOf(state, order)));
  const isForgotten = world.taken.some(
    ({ wanted, order }) => order.createdAt < at && !known.has(wanted),
  );
  const opened = world.sent.filter(
    (sent) => isForgotten && sent.placing && sent.at > at && !reducesOnly(day, sent),
  );
  return [
    ...noticed,
    ...nothingUnforeseen(day),
    ...atMostOnce(day),
    ...opened.map(({ wanted }) =>
      violation('S21', `${wanted} was sent after an older data directory had been restored`),
    ),
  ];
}
