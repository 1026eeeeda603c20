import { describe, expect, it } from 'vitest';
import { keepBrokerTime } from '../../../src/adapters/kit/replies.ts';
import type { HttpReply, HttpRequest, HttpTransport } from '../../../src/platform/http.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const REQUEST: HttpRequest = {
  method: 'GET',
  url: 'http://broker.test/orders',
  headers: {},
  deadlineMs: 1_000,
  fresh: false,
};

/** What is known of the broker's time after replies that came two seconds after one another. */
async function timeAfter(...replies: HttpReply[]) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const left = [...replies];
  const transport: HttpTransport = {
    send: () => Promise.resolve(left.shift() ?? { kind: 'not_sent', cause: '', message: '' }),
    connectAhead: () => undefined,
    close: () => Promise.resolve(),
  };
  const timed = keepBrokerTime(transport, time);
  for (const each of replies) {
    await time.advance(2_000);
    expect(await timed.transport.send(REQUEST)).toBe(each);
  }
  return timed.brokerTime();
}

const reply = (date: string | null, status = 200): HttpReply => ({
  kind: 'answered',
  status,
  statusText: '',
  headers: date === null ? {} : { date },
  body: '',
});

const TOLD = {
  at: Date.parse('2026-11-06T10:00:00+05:30'),
  localAt: Date.parse('2026-11-06T11:00:02+05:30'),
  receivedAt: 2_000,
};

describe('the time by a broker’s clock', () => {
  it.each([200, 403, 503])(
    'is that of the Date header of a reply, also with status %i',
    async (status) => {
      expect(await timeAfter(reply('Fri, 06 Nov 2026 04:30:00 GMT', status))).toEqual(TOLD);
    },
  );

  it('is not known before a reply has told it', async () => {
    expect(await timeAfter(reply(null))).toBeNull();
    expect(await timeAfter(reply('yesterday'))).toBeNull();
  });

  it('stays what was told last, while replies tell none', async () => {
    const broken: HttpReply = { kind: 'broken', cause: 'reset', message: '', status: null };
    const told = await timeAfter(reply('Fri, 06 Nov 2026 04:30:00 GMT'), reply(null), broken);
    expect(told).toEqual(TOLD);
  });
});
