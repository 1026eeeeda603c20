import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import { none, position, refused } from './positions-support.ts';
import { answered, failureOf, infosys, setUp, success } from './support.ts';

const down = answered(503, { status: 'error', message: 'down' });
const many = answered(429, { status: 'error', message: 'too many' });

/** Lists by segment and product, or the older form; each answers what is left of its own script, its last for ever. */
function account(scripts: Partial<Record<string, readonly HttpReply[]>>) {
  const asked: string[] = [];
  const setup = setUp({
    instruments: [infosys],
    respond(_, url) {
      if (url.pathname !== '/portfolio/positions') return success({ user_id: '1' });
      const { searchParams: of } = url;
      const name = of.has('product') ? `${of.get('segment')} ${of.get('product')}` : 'older';
      const script = scripts[name] ?? [none];
      const before = asked.filter((each) => each === name).length;
      asked.push(name);
      return script[Math.min(before, script.length - 1)] ?? none;
    },
  });
  return { ...setup, asked };
}

describe('a list of positions that the broker cannot answer', () => {
  it.each([
    ['429', many],
    ['503', down],
  ])('is asked once more after a %s', async (_status, failure) => {
    const shares = success([position]);
    const {
      account: of,
      asked,
      time,
    } = account({
      ...{ 'equity cnc': [failure, shares], 'derivative margin': [failure, none] },
    });
    expect(await time.settle(of.positions())).toMatchObject([{ product: 'CNC', quantity: -5 }]);
    expect(asked.filter((each) => each === 'equity cnc')).toHaveLength(2);
  });

  it('is asked once more in the older form as well, and so are the derivatives beside it', async () => {
    const { account: of, time } = account({
      ...{ 'equity cnc': [refused], 'equity intraday': [refused] },
      ...{ older: [many, success([{ ...position, product: 'CNC' }])] },
      'derivative margin': [down, none],
    });
    expect(await time.settle(of.positions())).toMatchObject([{ product: 'CNC' }]);
  });

  it('leaves open what it could hold, and hides no position of the others', async () => {
    const { account: of } = account({
      'equity cnc': [success([position])],
      'equity intraday': [down],
    });
    const positions = await of.positions();
    expect(positions).toMatchObject([{ instrument: infosys.name, product: 'CNC' }]);
    expect(of.unread?.(positions)).toMatchObject([
      {
        instrument: null,
        product: 'INTRADAY',
        quantity: null,
        reason: expect.stringContaining('list of INTRADAY') as string,
      },
    ]);
  });

  it.each([
    ['product', { product: 'INTRADAY' }],
    ['segment', { segment: 'DERIVATIVE', product: 'ECHO' }],
  ])('fails the read where the other list has rows of another %s', async (_what, parts) => {
    const { account: of } = account({
      ...{ 'equity cnc': [success([{ ...position, ...parts }])], 'equity intraday': [down] },
    });
    expect(await failureOf(of.positions())).toMatchObject({ kind: 'http' });
  });

  it.each([
    ['no list of shares is there', { 'equity cnc': [down], 'equity intraday': [down] }],
    ['the other one is refused', { 'equity cnc': [down], 'equity intraday': [refused] }],
    ['it is one of derivatives', { 'derivative margin': [down] }],
  ])('fails the read where %s', async (_what, scripts) => {
    const { account: of } = account(scripts);
    expect(await failureOf(of.positions())).toMatchObject({ kind: 'http' });
  });
});
