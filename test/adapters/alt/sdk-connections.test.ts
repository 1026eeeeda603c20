import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { deadPort, loopback, reply } from '../../platform/support/loopback.ts';
import { failureOf } from './support/alt-broker.ts';
import { CHANGES, READS } from './support/calls.ts';
import { brokerAt, envelope, JSON_TYPE, overSockets, says } from './support/odd-server.ts';
import { allInstruments } from '../../support/all-instruments.ts';

describe('where no connection is made', () => {
  async function endsAt(origin: string, reads = READS, changes = CHANGES): Promise<Set<string>> {
    const ends = new Set<string>();
    for (const [, read] of reads) {
      const { broker, close } = brokerAt(origin);
      const failure = await failureOf(read(broker));
      ends.add(failure.kind === 'not_sent' ? failure.reason : failure.kind);
      await close();
    }
    for (const [, change] of changes) {
      const { broker, close } = brokerAt(origin);
      const outcome = await change(broker);
      ends.add('cause' in outcome ? String(outcome.cause) : outcome.kind);
      await close();
    }
    return ends;
  }

  it('because the port is shut, every read and every change is not sent', async () => {
    expect(await endsAt(`http://127.0.0.1:${await deadPort()}`)).toEqual(new Set(['connect']));
  });

  it('because the name is not known, reads and changes are not sent', async () => {
    // Looking a name up can take a while, so one of each has to do.
    const ends = await endsAt('http://broker.invalid', READS.slice(0, 1), CHANGES.slice(0, 1));
    expect(ends).toEqual(new Set(['connect']));
  });

  it('because the other side speaks no TLS, every read and every change is not sent', async () => {
    const plain = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    expect(await endsAt(`https://127.0.0.1:${port}`)).toEqual(new Set(['connect']));
    await new Promise((resolve) => plain.close(resolve));
  });
});

describe('a redirect of a POST', () => {
  it.each([301, 302, 303, 307, 308])(
    '%i is not followed, and takes no token along',
    async (code) => {
      await using elsewhere = await loopback((socket) => {
        socket.write(reply(envelope({ status: 'success', data: { order_id: '1' } }), '200 OK'));
      });
      const act = says('', `${code} Moved`, `location: ${elsewhere.origin}/orders`);
      await using over = await overSockets(act);
      expect((await CHANGES[0]![1](over.broker)).kind).toBe('uncertain');
      expect(elsewhere.connections()).toBe(0);
    },
  );
});

describe('the instruments on a real socket', () => {
  const HEADER =
    'instrument_token,exchange_token,tradingsymbol,name,last_price,expiry,strike,tick_size,' +
    'lot_size,instrument_type,segment,exchange';
  const INFY = '408065,1594,INFY,INFOSYS,0,,0,0.05,1,EQ,NSE,NSE';

  it.each(['text/csv', 'text/csv; charset=utf-8'])('as %s have no row too many', async (type) => {
    const file = `${HEADER}\n${INFY}\n`;
    await using over = await overSockets(says(file, '200 OK', `content-type: ${type}`));
    const list = await allInstruments(over.broker.instruments);
    expect(list.map(({ name }) => name)).toEqual(['NSE:INFY']);
  });
});

describe('the environment', () => {
  it('does not send calls through its proxy', async () => {
    await using proxy = await loopback((socket) => void socket.end());
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = proxy.origin;
    try {
      const empty = envelope({ status: 'success', data: [] });
      await using over = await overSockets(says(empty, '200 OK', JSON_TYPE));
      expect(await over.broker.account.holdings()).toEqual([]);
      expect(over.requests).toHaveLength(1);
      expect(proxy.connections()).toBe(0);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});
