import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { OrderRequest } from '../../../src/domain/order.ts';
import {
  askedOf,
  isRepeat,
  isSameRequest,
} from '../../../src/execution/submit/request-identity.ts';
import { instrument } from '../support/makers.ts';

const SHARE = instrument();
/** A contract under the security id of the share: codes of derivatives can be those of shares, too. */
const CONTRACT = instrument({
  ...{ name: 'NFO:INFY26NOVFUT', exchange: 'NFO', tradingSymbol: 'INFY26NOVFUT' },
  segment: 'DERIVATIVE',
});
/** The share under the name that a list which came later gives it. */
const RENAMED = instrument({ name: 'NSE:INFOSYS', tradingSymbol: 'INFOSYS' });
const requestFor = (name: string): OrderRequest => ({
  ...{ instrument: name, side: 'BUY', quantity: 10, orderType: 'MARKET', product: 'INTRADAY' },
  ...{ validity: 'DAY', price: null, triggerPrice: null, amo: false },
  ...{ tag: null, broker: null, mode: null },
});

/** The lists know these instruments by these spellings, and all lists are there. */
const knowing = (known: Readonly<Record<string, Instrument>>) => (text: string) =>
  Promise.resolve({ instrument: known[text] ?? null, listsAreWhole: true });

describe('a request under a used key', () => {
  const asked = askedOf(requestFor(SHARE.name), SHARE);

  it('is no repeat where its instrument has the security id of the first one in another segment', async () => {
    const request = requestFor(CONTRACT.name);
    const lists = knowing({ [SHARE.name]: SHARE, [CONTRACT.name]: CONTRACT });
    expect(await isRepeat(request, asked, lists)).toBe(false);
    expect(isSameRequest(request, CONTRACT, asked)).toBe(false);
  });

  it('is a repeat where its instrument has the security id and the segment of the first one under another name', async () => {
    const request = requestFor(RENAMED.name);
    expect(await isRepeat(request, asked, knowing({ [RENAMED.name]: RENAMED }))).toBe(true);
    expect(isSameRequest(request, RENAMED, asked)).toBe(true);
  });

  it('is no repeat where two instruments without a security id have different names', async () => {
    const [one, other] = [SHARE, RENAMED].map((each) => ({ ...each, securityId: null }));
    const first = askedOf(requestFor(one!.name), one!);
    const lists = knowing({ [one!.name]: one!, [other!.name]: other! });
    expect(await isRepeat(requestFor(other!.name), first, lists)).toBe(false);
  });
});
