import { dataOf, type Published } from './answered-fields.ts';
import { describeFields, withoutLogin } from './describe-fields.ts';
import { FUNDS, HOLDINGS, OLDER_POSITIONS, POSITIONS, PROFILE } from './primary-account-replies.ts';

/** Another exchange or segment is one that exists; a row of no existing one is unreadable. */
const another: Published['another'] = (path) => {
  if (path.endsWith('.exchange')) return 'BSE';
  if (path.endsWith('exchange_segment')) return 'BSE_EQ';
  return null;
};
const read = (name: string, path: string, reply: Published['reply']): Published => ({
  name,
  path: new RegExp(`^/${path}$`),
  reply,
  ask: (rig) => dataOf(rig, `/api/v1/${name.replace('older-', '')}?broker=primary`),
  another,
});

const published: readonly Published[] = [
  read('positions', 'portfolio/positions', POSITIONS),
  read('older-positions', 'portfolio/positions', OLDER_POSITIONS),
  read('holdings', 'portfolio/holdings', HOLDINGS),
  read('funds', 'funds', FUNDS),
  read('profile', 'user/profile', PROFILE),
];

describeFields({
  what: 'the primary brokerage’s account',
  page: 'docs/primary-brokerage.md',
  published,
  start: withoutLogin,
});
