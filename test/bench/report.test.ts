import { describe, expect, it } from 'vitest';
import { withFigures } from '../../bench/report.ts';
import type { KeptRow } from '../../bench/results.ts';

const row = (parts: Partial<KeptRow>): KeptRow => ({
  ...{ name: 'a wait, p99', value: 4.5, unit: 'ms', bound: 'at most 5', met: true },
  ...{ bench: 'market', day: '2026-11-23', busy: false },
  ...parts,
});
const PAGE = [
  'Before.',
  '<!-- figures: market -->\nold\n<!-- end -->',
  'Between.',
  '<!-- growth: streams -->\nold\n<!-- end -->',
].join('\n');

describe('the report of the benches', () => {
  it('has each row with its bound, and whether that is met', () => {
    const page = withFigures(PAGE, [row({}), row({ name: 'memory', value: 310, met: false })]);
    expect(page).toContain('| a wait, p99 | 4.50 ms | at most 5 | yes |');
    expect(page).toContain('| memory | 310 ms | at most 5 | **no** |');
    expect(page).toContain('Measured on 2026-11-23 on a quiet machine.');
  });

  it('tells that other programs were at work', () => {
    expect(withFigures(PAGE, [row({}), row({ busy: true })])).toContain(
      '**while other programs were at work**',
    );
  });

  it('draws the growth beside a linear one, and leaves what was not measured as it is', () => {
    const load = (symbols: number, value: number): KeptRow =>
      row({ bench: 'streams', name: `${symbols} symbols: processor time in a second`, value });
    const page = withFigures(PAGE, [load(125, 40), load(250, 70), row({ bench: 'streams' })]);
    expect(page).toContain('bar [40.00, 70.00]');
    expect(page).toContain('line [40.00, 80.00]');
    expect(page).toContain('<!-- figures: market -->\nold\n<!-- end -->');
  });

  it('can be written twice', () => {
    const once = withFigures(PAGE, [row({})]);
    expect(withFigures(once, [row({})])).toBe(once);
  });
});
