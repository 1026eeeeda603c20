import { describe, expect, it } from 'vitest';
import { createLogText } from '../../src/compose/log-lines.ts';
import { isTextLog, openLog } from '../../src/compose/ports.ts';
import { createLog } from '../../src/platform/log.ts';

function textLog(colours = false) {
  const written: string[] = [];
  const log = createLogText((text) => void written.push(text), { colours });
  const write = (fields: object): void =>
    log.write(`${JSON.stringify({ level: 30, time: '2026-11-23T16:40:02.123Z', ...fields })}\n`);
  return { log, write, written };
}

describe('a line of the log for a person', () => {
  it('has the time of India, the message, and its fields', () => {
    const { write, written } = textLog();
    write({ broker: 'alt', count: 3, reason: 'it is late', msg: 'an order was placed' });
    expect(written).toEqual([
      '-- 2026-11-23 --\n',
      '22:10:02 IST  an order was placed  broker=alt  count=3  reason="it is late"\n',
    ]);
  });

  it('comes after the day of India, where that is another one than before', () => {
    const { write, written } = textLog();
    for (const time of ['2026-11-23T18:29:59Z', '2026-11-23T18:30:00Z', '2026-11-23T19:00:00Z']) {
      write({ time, msg: 'x' });
    }
    expect(written).toEqual([
      ...['-- 2026-11-23 --\n', '23:59:59 IST  x\n'],
      ...['-- 2026-11-24 --\n', '00:00:00 IST  x\n', '00:30:00 IST  x\n'],
    ]);
  });

  it('names its level where it is not the usual one, in colours only where there are any', () => {
    const [plain, coloured] = [textLog(), textLog(true)];
    for (const level of [20, 30, 40, 50, 60]) {
      plain.write({ level, msg: 'x' });
      coloured.write({ level, msg: 'x' });
    }
    const times = (lines: readonly string[]) => lines.slice(1).map((line) => line.slice(14, -1));
    expect(times(plain.written)).toEqual(['debug  x', 'x', 'warn   x', 'error  x', 'fatal  x']);
    expect(plain.written.join('')).not.toContain('\u001b');
    expect(times(coloured.written)[3]).toBe('\u001b[31merror  x\u001b[0m');
    expect(times(coloured.written)[1]).toBe('x');
  });

  it('shows characters that move a cursor or turn text around, and does not send them', () => {
    const { write, written } = textLog();
    write({ msg: 'a\u001b[2Jb\nc\u202ed', reason: 'e\rf\u2028' });
    expect(written[1]).toBe('22:10:02 IST  a\\u001b[2Jb\\u000ac\\u202ed  reason="e\\rf\\u2028"\n');
  });

  it('is shown as it is where it is no line of the log', () => {
    const { log, written } = textLog();
    for (const line of ['not json\u0007\n', '{"msg":"no time"}\n', 'null\n']) log.write(line);
    expect(written).toEqual(['not json\\u0007\n', '{"msg":"no time"}\n', 'null\n']);
  });
});

describe('the log', () => {
  const screen = (isTerminal: boolean) => {
    const written: string[] = [];
    const write = (text: string): void => void written.push(text);
    return { written, screen: { isTerminal, hasColours: false, write } };
  };

  it.each([
    ['auto', true],
    ['text', true],
    ['text', false],
  ] as const)('is text with %s, in a terminal: %s', (logFormat, isTerminal) => {
    const to = screen(isTerminal);
    const log = createLog(openLog({ logLevel: 'info', logFormat }, to.screen));
    log.debug('not told');
    log.warn('told', { broker: 'alt' });
    expect(to.written).toHaveLength(2);
    expect(to.written[1]).toMatch(/^\d\d:\d\d:\d\d IST {2}warn {3}told {2}broker=alt\n$/);
  });

  it.each([
    ['auto', false],
    ['json', true],
    ['json', false],
  ] as const)('is no text with %s, in a terminal: %s', (logFormat, isTerminal) => {
    const to = screen(isTerminal);
    expect(isTextLog({ logFormat }, to.screen)).toBe(false);
  });
});
